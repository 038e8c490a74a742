using System.Runtime.InteropServices;
using Mortise.PluginHost.Loading;
using Mortise.PluginHost.Serving;
using Mortise.PluginHost.Streams;

namespace Mortise.PluginHost;

/// <summary>
/// Runs one plugin and serves its tools over MCP on stdin and stdout. Exits with 0 when the client has disconnected or
/// on SIGTERM and SIGINT, and with 2 for a wrong command line or wrong settings.
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
        // The streams and the settings are taken before any code of the plugin runs and before the console is used.
        var protocol = ProtocolStreams.Take();
        if (!PluginConfig.TryTake(protocol.Input, out var config, out var problem))
        {
            Console.Error.WriteLine(problem);
            return UsageError;
        }

        // Plugins find the files beside them by this property, because an assembly that was read into memory has no location.
        var folder = Path.GetDirectoryName(Path.GetFullPath(file));
        AppContext.SetData("APP_CONTEXT_BASE_DIRECTORY", folder + Path.DirectorySeparatorChar);
        var terminated = new TaskCompletionSource();
        using var onTerminate = StopOn(PosixSignal.SIGTERM, terminated);
        using var onInterrupt = StopOn(PosixSignal.SIGINT, terminated);
        var log = new ClientLog();
        var caller = new CurrentCaller();
        var loading = Task.Run(() => PluginLoader.Load(file, config, log, caller));
        await new PluginServer(loading, log, caller).RunAsync(protocol, terminated.Task);
        await Shutdown.DisposeAsync(loading);

        // Ends the process even if threads of the plugin still run.
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
