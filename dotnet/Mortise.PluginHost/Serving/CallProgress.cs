using System.Text.Json.Nodes;
using McpServer.Progress;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// The progress of one call. What is reported has been written when Report returns: so the order holds, nothing follows
/// the result, and a tool cannot report faster than the client reads. Silent once the call has ended.
/// </summary>
internal sealed class CallProgress(McpSession session, ProgressToken token, CancellationToken cancelled)
    : IProgressReporter, IDisposable
{
    private readonly object gate = new();
    private bool hasEnded;

    public void Report(int percent, string? message = null) => Send(Math.Clamp(percent, 0, 100), 100, message);

    public void Report(double progress, double? total = null)
    {
        // JSON has neither NaN nor infinities.
        if (double.IsFinite(progress))
        {
            Send(progress, total is { } known && double.IsFinite(known) ? known : null, null);
        }
    }

    /// <summary>Ends the reports.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            hasEnded = true;
        }
    }

    private void Send(double progress, double? total, string? message)
    {
        // Not the type of the SDK, which has single precision: too little for bytes.
        var parameters = new JsonObject
        {
            ["progressToken"] = token.Token is long number ? number : token.ToString(),
            ["progress"] = progress,
        };
        if (total is not null)
        {
            parameters["total"] = total;
        }
        if (message is not null)
        {
            parameters["message"] = message;
        }
        lock (gate)
        {
            if (!hasEnded && !cancelled.IsCancellationRequested)
            {
                hasEnded = !session.TryNotify(NotificationMethods.ProgressNotification, parameters);
            }
        }
    }
}
