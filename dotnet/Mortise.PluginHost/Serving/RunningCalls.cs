namespace Mortise.PluginHost.Serving;

/// <summary>The calls that run at the moment.</summary>
internal sealed class RunningCalls
{
    private readonly CancellationTokenSource all = new();
    private readonly TaskCompletionSource allEnded = new();

    /// <summary>One more than there are calls, until all are cancelled.</summary>
    private int count = 1;

    /// <summary>Counts a call until it is disposed.</summary>
    public RunningCall Enter(CancellationToken cancelledByClient)
    {
        Interlocked.Increment(ref count);
        return new RunningCall(this, CancellationTokenSource.CreateLinkedTokenSource(cancelledByClient, all.Token));
    }

    /// <summary>Cancels all calls, once; done when they have ended. What a plugin does meanwhile blocks no one.</summary>
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

    /// <summary>A call, which its client and the end of the host cancel.</summary>
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
