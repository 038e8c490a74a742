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
        return new RunningCall(this, cancelledByClient);
    }

    /// <summary>Cancels all calls, once; done when they have ended.</summary>
    public Task CancelAsync()
    {
        _ = all.CancelAsync();
        Leave();
        return allEnded.Task;
    }

    private void Leave()
    {
        if (Interlocked.Decrement(ref count) == 0)
        {
            allEnded.TrySetResult();
        }
    }

    /// <summary>A call, which its client and the end of the host cancel. What a plugin does then disturbs neither.</summary>
    internal sealed class RunningCall : IDisposable
    {
        private readonly RunningCalls calls;
        private readonly CancellationTokenSource own = new();
        private readonly CancellationTokenRegistration byClient;
        private readonly CancellationTokenRegistration byHost;

        public RunningCall(RunningCalls calls, CancellationToken cancelledByClient)
        {
            this.calls = calls;
            byClient = cancelledByClient.UnsafeRegister(Cancel, own);
            byHost = calls.all.Token.UnsafeRegister(Cancel, own);
        }

        public CancellationToken Cancelled => own.Token;

        public void Dispose()
        {
            byClient.Dispose();
            byHost.Dispose();
            calls.Leave();
        }

        private static void Cancel(object? source) => _ = ((CancellationTokenSource)source!).CancelAsync();
    }
}
