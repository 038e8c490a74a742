using System.Text.Json.Nodes;
using McpServer.Progress;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// The progress of one call, thinned out: so many reports in each window are written before Report returns; of more the
/// newest one goes out at the window's end, or before the result. Silent once the call has ended.
/// </summary>
internal sealed class CallProgress(McpSession session, ProgressToken token, CancellationToken cancelled)
    : IProgressReporter, IDisposable
{
    /// <summary>Mortise thins them out to the 20 a second of MCP, and must not be flooded by a hundred calls at once.</summary>
    private const int Burst = 20;

    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(500);

    private readonly object gate = new();
    private Timer? windowEnd;
    private int sent;
    private PendingReport? pending;
    private bool hasEnded;

    public void Report(int percent, string? message = null) => Send(Math.Clamp(percent, 0, 100), 100, message);

    public void Report(double progress, double? total = null)
    {
        // JSON has neither NaN nor infinities.
        if (double.IsFinite(progress))
        {
            Send(progress, total is { } finite && double.IsFinite(finite) ? finite : null, null);
        }
    }

    /// <summary>Ends the reports, with the one that waits.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            Flush();
            hasEnded = true;
            windowEnd?.Dispose();
        }
    }

    private void Send(double progress, double? total, string? message)
    {
        lock (gate)
        {
            if (hasEnded)
            {
                return;
            }
            if (windowEnd is null)
            {
                sent = 0;
                windowEnd = new Timer(_ => EndWindow(), null, Window, Timeout.InfiniteTimeSpan);
            }
            pending = new PendingReport(progress, total, message);
            if (++sent <= Burst)
            {
                Flush();
            }
        }
    }

    private void EndWindow()
    {
        lock (gate)
        {
            windowEnd?.Dispose();
            windowEnd = null;
            Flush();
        }
    }

    private void Flush()
    {
        if (pending is { } report && !hasEnded && !cancelled.IsCancellationRequested)
        {
            hasEnded = !session.TryNotify(NotificationMethods.ProgressNotification, ToJson(report));
        }
        pending = null;
    }

    /// <summary>Not the type of the SDK, which has single precision: too little for bytes.</summary>
    private JsonObject ToJson(PendingReport report)
    {
        var parameters = new JsonObject
        {
            ["progressToken"] = token.Token is long number ? number : token.ToString(),
            ["progress"] = report.Progress,
        };
        if (report.Total is { } total)
        {
            parameters["total"] = total;
        }
        if (report.Message is { } message)
        {
            parameters["message"] = message;
        }
        return parameters;
    }

    private readonly record struct PendingReport(double Progress, double? Total, string? Message);
}
