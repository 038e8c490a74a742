namespace McpServer.Progress;

/// <summary>Ends the mutual recursion of two default methods where neither is implemented.</summary>
internal static class Forwarding
{
    [ThreadStatic]
    private static IProgressReporter? forwarded;

    /// <summary>Does nothing for a reporter that is being forwarded on this thread already.</summary>
    public static void Once(IProgressReporter reporter, Action report)
    {
        if (ReferenceEquals(forwarded, reporter))
        {
            return;
        }
        var outer = forwarded;
        forwarded = reporter;
        try
        {
            report();
        }
        finally
        {
            forwarded = outer;
        }
    }
}
