using McpServer.Progress;
using McpServer.Protocol;

namespace McpServer.Tools;

/// <summary>A tool. Every public, non-abstract class of a plugin that implements it is offered to MCP clients.</summary>
public interface ITool
{
    /// <summary>1 to 128 of the characters <c>A-Z a-z 0-9 _ . -</c>, unique among all tools. Read once.</summary>
    string Name { get; }

    /// <summary>What the tool does and when to use it: models choose by it. Read once.</summary>
    string Description { get; }

    /// <summary>The arguments that the tool takes. Read once.</summary>
    JsonSchema InputSchema { get; }

    /// <summary>Runs the tool; several calls may run at the same time. What it throws becomes an error result.</summary>
    /// <param name="arguments">
    /// string, bool, null, and double for every number; arrays and objects as their JSON text. Null when the client sent none.
    /// </param>
    /// <param name="progress">Never null when a host calls.</param>
    /// <param name="cancellationToken">Fires when the client cancels this call, and when the host stops.</param>
    Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default);
}
