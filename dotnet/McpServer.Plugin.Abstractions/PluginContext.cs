using Microsoft.Extensions.Logging;

namespace McpServer.Plugins;

/// <summary>The settings and the logger for a tool whose constructor has a parameter of this type.</summary>
/// <param name="configLookup">Returns the value of a key, or null.</param>
/// <param name="logger">The logger of the tool.</param>
public sealed class PluginContext(Func<string, string?> configLookup, ILogger logger)
{
    /// <summary>The logger of the tool's class. Its messages reach the MCP client.</summary>
    public ILogger Logger { get; } = logger;

    /// <summary>
    /// Returns a setting as text, or null. The plugin's own section <c>Plugins.Settings.&lt;plugin&gt;</c> takes
    /// precedence over <c>Plugins.Config</c>. Keys are compared without case; <c>A:B</c> is the member <c>B</c> of the
    /// object <c>A</c>.
    /// </summary>
    public string? GetConfig(string key) => configLookup(key);
}
