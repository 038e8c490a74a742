using McpServer.Progress;
using McpServer.Protocol;

namespace McpServer.Tools;

/// <summary>
/// A tool. Mortise offers each public, non-abstract class of a plugin that implements it to MCP clients.
/// </summary>
public interface ITool
{
    /// <summary>
    /// The name, which is unique among all tools: 1 to 128 of the characters <c>A-Z a-z 0-9 _ . -</c>. Read once.
    /// </summary>
    string Name { get; }

    /// <summary>Says what the tool does and when to use it. Models choose tools by it. Read once.</summary>
    string Description { get; }

    /// <summary>The schema of the tool's arguments. Read once.</summary>
    JsonSchema InputSchema { get; }

    /// <summary>Runs the tool. Several calls can run at the same time. An exception becomes an error result.</summary>
    /// <param name="arguments">
    /// The arguments by name; null if the client sent none. Every number is a double, and arrays and objects are their
    /// JSON text.
    /// </param>
    /// <param name="progress">Reports the progress of the call. Never null if Mortise makes the call.</param>
    /// <param name="cancellationToken">Is cancelled if the client cancels the call, and when the server stops.</param>
    Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default);
}
