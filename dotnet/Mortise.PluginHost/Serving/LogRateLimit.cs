namespace Mortise.PluginHost.Serving;

/// <summary>Limits the log lines of the plugin per second. Further lines are dropped and counted.</summary>
/// <param name="onDropped">
/// Called with the number of dropped lines at the end of a second in which there were any.
/// </param>
internal sealed class LogRateLimit(Action<int> onDropped)
{
    private const int MaxLines = 500;

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    private readonly object gate = new();
    private Timer? windowEnd;
    private int lines;

    /// <summary>Counts a line. Returns true if it may be written.</summary>
    public bool TryConsume()
    {
        lock (gate)
        {
            windowEnd ??= new Timer(_ => EndWindow(), null, Window, Timeout.InfiniteTimeSpan);
            return ++lines <= MaxLines;
        }
    }

    private void EndWindow()
    {
        int dropped;
        lock (gate)
        {
            windowEnd?.Dispose();
            windowEnd = null;
            dropped = lines - MaxLines;
            lines = 0;
        }
        if (dropped > 0)
        {
            onDropped(dropped);
        }
    }
}
