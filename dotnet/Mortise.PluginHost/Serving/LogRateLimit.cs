namespace Mortise.PluginHost.Serving;

/// <summary>Limits the log lines of the plugin per second. Further lines are dropped and counted.</summary>
/// <param name="onLeftOut">
/// Called with the number of dropped lines at the end of a second in which there were any.
/// </param>
internal sealed class LogRateLimit(Action<int> onLeftOut)
{
    private const int Lines = 500;

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    private readonly object gate = new();
    private Timer? windowEnd;
    private int used;

    /// <summary>Counts a line. Returns true if it may be written.</summary>
    public bool TryConsume()
    {
        lock (gate)
        {
            windowEnd ??= new Timer(_ => EndWindow(), null, Window, Timeout.InfiniteTimeSpan);
            return ++used <= Lines;
        }
    }

    private void EndWindow()
    {
        int leftOut;
        lock (gate)
        {
            windowEnd?.Dispose();
            windowEnd = null;
            leftOut = used - Lines;
            used = 0;
        }
        if (leftOut > 0)
        {
            onLeftOut(leftOut);
        }
    }
}
