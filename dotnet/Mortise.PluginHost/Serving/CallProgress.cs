using System.Text.Json.Nodes;
using McpServer.Progress;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// Reports the progress of one call to the client. Of the reports in each window, the first ones are written before
/// Report returns. Of the others only the newest is sent, at the end of the window or before the result. Reports after
/// the end of the call are ignored.
/// </summary>
internal sealed class CallProgress(McpSession session, ProgressToken token, CancellationToken cancelled)
    : IProgressReporter, IDisposable
{
    /// <summary>
    /// The reports per window that are sent immediately. The limit protects Mortise, which itself passes on 20 per
    /// second, from many calls that report at the same time.
    /// </summary>
    private const int MaxImmediateReports = 20;

    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(500);

    private readonly object gate = new();
    private Timer? windowEnd;
    private int reportCount;
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

    /// <summary>Sends the pending report, and ignores further ones.</summary>
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
                reportCount = 0;
                windowEnd = new Timer(_ => EndWindow(), null, Window, Timeout.InfiniteTimeSpan);
            }
            pending = new PendingReport(progress, total, message);
            if (++reportCount <= MaxImmediateReports)
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

    /// <summary>
    /// Builds the JSON by hand, because the type of the SDK has single precision, which is too little for bytes.
    /// </summary>
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
