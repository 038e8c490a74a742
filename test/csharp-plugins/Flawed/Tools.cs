using McpServer.Progress;
using McpServer.Protocol;
using Kit;

namespace Flawed;

public sealed class Throws : Tool
{
    public Throws()
        : base("throws") => throw new InvalidOperationException("api_key must be set");

    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) => Task.FromResult(Text("never"));
}

public sealed class Fine() : Tool("fine")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) => Task.FromResult(Text("fine"));
}
