namespace Mortise.PluginHost.Serving;

/// <summary>Tracks the running calls, so that the host can cancel all and wait until they have ended.</summary>
internal sealed class RunningCalls
{
    private readonly CancellationTokenSource all = new();
    private readonly TaskCompletionSource allEnded = new();

    /// <summary>
    /// The number of running calls, plus 1 until all are cancelled, so that it does not reach 0 before.
    /// </summary>
    private int count = 1;

    /// <summary>Adds a call, which counts as running until it is disposed.</summary>
    public RunningCall Enter(CancellationToken cancelledByClient)
    {
        Interlocked.Increment(ref count);
        return new RunningCall(this, CancellationTokenSource.CreateLinkedTokenSource(cancelledByClient, all.Token));
    }

    /// <summary>
    /// Cancels all calls. The task completes when they have ended. Must be called only once. A plugin that blocks in
    /// the handler of its cancellation does not block the caller.
    /// </summary>
    public Task CancelAsync()
    {
        _ = all.CancelAsync();
        EndOne();
        return allEnded.Task;
    }

    private void EndOne()
    {
        if (Interlocked.Decrement(ref count) == 0)
        {
            allEnded.TrySetResult();
        }
    }

    /// <summary>A call, which is cancelled by its client or by the end of the host.</summary>
    internal sealed class RunningCall(RunningCalls calls, CancellationTokenSource cancellation) : IDisposable
    {
        public CancellationToken Cancelled => cancellation.Token;

        public void Dispose()
        {
            cancellation.Dispose();
            calls.EndOne();
        }
    }
}
