using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// Where the plugin's loggers write: to the MCP client, from the level that it asked for, or else to stderr. With 2026-07-28
/// only during a call that asked for it; before, at any time in a session, from info where no level was asked for.
/// </summary>
internal sealed class ClientLog
{
    private readonly AsyncLocal<Listener?> call = new();
    private volatile Func<Listener?> session = () => null;

    /// <summary>Where messages of no call go.</summary>
    public void Open(Func<Listener?> listener) => session = listener;

    /// <summary>For everything that this flow of control logs from now on.</summary>
    public void Enter(Listener? listener) => call.Value = listener;

    public ILogger LoggerFor(string category) => new PluginLogger(category, this);

    public bool IsEnabled(LogLevel level) => level is not LogLevel.None && level >= (Current?.Least ?? LogLevel.Information);

    public void Write(string category, LogLevel level, string message)
    {
        var parameters = new JsonObject
        {
            ["level"] = Name(level),
            ["logger"] = category,
            ["data"] = message,
        };
        if (Current?.Session.TryNotify(NotificationMethods.LoggingMessageNotification, parameters) is not true)
        {
            Console.Error.WriteLine($"{Name(level)}: {category}: {message}");
        }
    }

    private Listener? Current => call.Value ?? session();

    private static string Name(LogLevel level) => level switch
    {
        LogLevel.Trace or LogLevel.Debug => "debug",
        LogLevel.Information => "info",
        LogLevel.Warning => "warning",
        LogLevel.Error => "error",
        _ => "critical",
    };
}
