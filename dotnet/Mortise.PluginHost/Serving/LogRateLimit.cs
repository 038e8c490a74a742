namespace Mortise.PluginHost.Serving;

/// <summary>Bounds what the plugin's loggers write: so many lines a second; more are left out, and counted.</summary>
/// <param name="onLeftOut">Told at the end of such a second how many.</param>
internal sealed class LogRateLimit(Action<int> onLeftOut)
{
    private const int Lines = 500;

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    private readonly object gate = new();
    private Timer? windowEnd;
    private int used;

    /// <summary>Whether a line may be written now.</summary>
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
