using Microsoft.Extensions.Logging;

namespace McpServer.Plugins;

/// <summary>What the host gives to a tool whose constructor asks for it.</summary>
/// <param name="configLookup">The value of a key, or null.</param>
/// <param name="logger">Where the tool logs.</param>
public sealed class PluginContext(Func<string, string?> configLookup, ILogger logger)
{
    /// <summary>Scoped to the tool's class; what it logs reaches the MCP client.</summary>
    public ILogger Logger { get; } = logger;

    /// <summary>
    /// A setting as text, or null: the key of the plugin's own section <c>Plugins.Settings.&lt;plugin&gt;</c>, else of <c>Plugins.Config</c>.
    /// Case does not count; <c>A:B</c> walks into objects.
    /// </summary>
    public string? GetConfig(string key) => configLookup(key);
}
