namespace McpServer.Progress;

/// <summary>Ends the mutual recursion of two default methods if a class implements neither.</summary>
internal static class Forwarding
{
    [ThreadStatic]
    private static IProgressReporter? forwarded;

    /// <summary>
    /// Runs <paramref name="report"/> unless this thread is already forwarding a report of the reporter.
    /// </summary>
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
