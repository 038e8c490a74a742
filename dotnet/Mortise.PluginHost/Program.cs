using System.Runtime.InteropServices;
using Mortise.PluginHost.Loading;
using Mortise.PluginHost.Serving;
using Mortise.PluginHost.Streams;

namespace Mortise.PluginHost;

/// <summary>
/// Runs one plugin and serves its tools over MCP on stdin and stdout. Exit codes: 0 when the client has gone or on
/// SIGTERM, 2 for a wrong command line or configuration.
/// </summary>
internal static class Program
{
    private const int UsageError = 2;

    public static async Task<int> Main(string[] args)
    {
        if (args is not [{ Length: > 0 } file])
        {
            Console.Error.WriteLine("Usage: dotnet exec Mortise.PluginHost.dll <plugin.dll>");
            return UsageError;
        }
        // Both before anything of the plugin runs, and before anything uses the console.
        var protocol = ProtocolStreams.Take();
        if (!PluginConfig.TryTake(protocol.Input, out var config, out var wrong))
        {
            Console.Error.WriteLine(wrong);
            return UsageError;
        }

        // Assemblies that were read into memory have no location: this is how a plugin finds the files beside it.
        var folder = Path.GetDirectoryName(Path.GetFullPath(file));
        AppContext.SetData("APP_CONTEXT_BASE_DIRECTORY", folder + Path.DirectorySeparatorChar);
        var terminated = new TaskCompletionSource();
        using var onTerminate = StopOn(PosixSignal.SIGTERM, terminated);
        using var onInterrupt = StopOn(PosixSignal.SIGINT, terminated);
        var log = new ClientLog();
        var loading = Task.Run(() => PluginLoader.Load(file, config, log));
        await new PluginServer(loading, log).RunAsync(protocol, terminated.Task);
        await Shutdown.DisposeAsync(loading);

        // Threads that the plugin has started do not keep the process alive.
        Environment.Exit(0);
        return 0;
    }

    private static PosixSignalRegistration StopOn(PosixSignal signal, TaskCompletionSource terminated) =>
        PosixSignalRegistration.Create(signal, received =>
        {
            received.Cancel = true;
            terminated.TrySetResult();
        });
}
