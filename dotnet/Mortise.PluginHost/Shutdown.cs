using McpServer.Tools;
using Microsoft.Extensions.Logging;
using Mortise.PluginHost.Loading;
using Mortise.PluginHost.Serving;

namespace Mortise.PluginHost;

/// <summary>Disposes the tools and unloads the plugin.</summary>
internal static class Shutdown
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Disposes all tools at the same time, for at most <see cref="Limit"/>, and unloads the plugin. Never throws.
    /// </summary>
    public static async Task DisposeAsync(Task<LoadedPlugin> loading)
    {
        if (!loading.IsCompletedSuccessfully)
        {
            return;
        }
        var plugin = await loading;
        var disposals = plugin.Instances.Select(tool => Task.Run(() => DisposeAsync(tool)));
        await Task.WhenAny(Task.WhenAll(disposals), Task.Delay(Limit));
        plugin.Context?.Unload();
    }

    private static async Task DisposeAsync(ITool tool)
    {
        try
        {
            switch (tool)
            {
                case IAsyncDisposable disposable:
                    await disposable.DisposeAsync();
                    break;
                case IDisposable disposable:
                    disposable.Dispose();
                    break;
            }
        }
        catch (Exception error)
        {
            var name = tool.GetType().FullName!;
            ClientLog.WriteToStderr(name, LogLevel.Error, $"{name} threw while it was disposed: {error}");
        }
    }
}
