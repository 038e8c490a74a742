using System.Diagnostics;

namespace Mortise.DotnetHost.Hosting;

/// <summary>Ends the process with <see cref="ExitCode"/> when it uses more memory than the limit.</summary>
internal static class MemoryLimit
{
    public const int ExitCode = 71;

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);

    public static void Watch(long maxBytes)
    {
        var thread = new Thread(() =>
        {
            using var process = Process.GetCurrentProcess();
            while (true)
            {
                Thread.Sleep(Interval);
                process.Refresh();
                if (process.WorkingSet64 > maxBytes)
                    Environment.Exit(ExitCode);
            }
        })
        { IsBackground = true, Name = "memory limit" };
        thread.Start();
    }
}
