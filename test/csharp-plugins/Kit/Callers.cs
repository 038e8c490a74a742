using System.Collections.Concurrent;
using McpServer.Plugins;
using McpServer.Progress;
using McpServer.Protocol;

namespace Kit;

/// <summary>Who calls: when the call begins, and when the meeting of its arguments has so many calls.</summary>
public sealed class Caller(PluginContext context) : Tool("caller")
{
    private readonly ConcurrentDictionary<string, int> meetings = new();

    public override async Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        var before = Words(context.Caller);
        var meeting = (string)arguments!["meeting"];
        meetings.AddOrUpdate(meeting, 1, (_, calls) => calls + 1);
        while (meetings[meeting] < (double)arguments["together"])
        {
            await Task.Delay(10, cancellationToken).ConfigureAwait(false);
        }
        return Text($"{before}; {Words(context.Caller)}");
    }

    internal static string Words(CallerInfo? caller) => caller is null
        ? "nobody"
        : $"{caller.Principal}, issuer {caller.Issuer ?? "none"}, subject {caller.Subject ?? "none"}";
}

/// <summary>Who calls, in a task that the call before has left behind.</summary>
public sealed class LeftBehind(PluginContext context) : Tool("left_behind")
{
    private TaskCompletionSource next = new();
    private Task<string> leftBehind = Task.FromResult("nothing");

    public override async Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        next.SetResult();
        var words = await leftBehind;
        next = new TaskCompletionSource();
        leftBehind = CallerAfterAsync(next.Task);
        return Text(words);
    }

    private async Task<string> CallerAfterAsync(Task task)
    {
        await task;
        return Caller.Words(context.Caller);
    }
}
