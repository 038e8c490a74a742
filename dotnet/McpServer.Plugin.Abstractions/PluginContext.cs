using Microsoft.Extensions.Logging;

namespace McpServer.Plugins;

/// <summary>
/// The settings, the logger and the caller for a tool whose constructor has a parameter of this type.
/// </summary>
/// <param name="configLookup">Returns the value of a key, or null.</param>
/// <param name="logger">The logger of the tool.</param>
/// <param name="callerLookup">Returns the caller of the current call, or null.</param>
public sealed class PluginContext(Func<string, string?> configLookup, ILogger logger, Func<CallerInfo?> callerLookup)
{
    /// <summary>Creates a context whose calls have no caller.</summary>
    /// <param name="configLookup">Returns the value of a key, or null.</param>
    /// <param name="logger">The logger of the tool.</param>
    public PluginContext(Func<string, string?> configLookup, ILogger logger)
        : this(configLookup, logger, () => null)
    {
    }

    /// <summary>The logger of the tool's class. Its messages reach the MCP client.</summary>
    public ILogger Logger { get; } = logger;

    /// <summary>
    /// Who makes the current call. Each of several calls that run at the same time has its own. Null if the client did
    /// not authenticate, as over stdio, and outside of <c>ExecuteAsync</c>: in constructors, and after the call's end.
    /// </summary>
    public CallerInfo? Caller => callerLookup();

    /// <summary>
    /// Returns a setting as text, or null. The plugin's own section <c>Plugins.Settings.&lt;plugin&gt;</c> takes
    /// precedence over <c>Plugins.Config</c>. Keys are compared without case; <c>A:B</c> is the member <c>B</c> of the
    /// object <c>A</c>.
    /// </summary>
    public string? GetConfig(string key) => configLookup(key);
}
