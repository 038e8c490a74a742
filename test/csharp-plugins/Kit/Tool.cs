using McpServer.Progress;
using McpServer.Protocol;
using McpServer.Tools;

namespace Kit;

public abstract class Tool(string name) : ITool
{
#if NEXT
    protected const string Version = "2";
#else
    protected const string Version = "1";
#endif

    public string Name => $"kit_{name}";

    public string Description => $"Does {name}.";

    public virtual JsonSchema InputSchema => new() { Type = "object" };

    public abstract Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default);

    protected static ToolCallResult Text(string text) => new() { Content = [new() { Type = "text", Text = text }] };
}
