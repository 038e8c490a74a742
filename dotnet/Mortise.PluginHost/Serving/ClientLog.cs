using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// Writes the log messages of the plugin to the MCP client that listens. If none does, messages from level info on are
/// written to stderr as a line of JSON after <see cref="Prefix"/>, so that Mortise can read level and category.
/// </summary>
internal sealed class ClientLog
{
    private const string Prefix = "mortise/log ";

    private readonly AsyncLocal<Listener?> callListener = new();
    private readonly LogRateLimit rateLimit;
    private volatile Func<Listener?> sessionListener = () => null;

    public ClientLog() =>
        rateLimit = new LogRateLimit(lines => Send("Mortise.PluginHost", LogLevel.Warning, $"{lines} log lines were dropped because the plugin logs too fast"));

    /// <summary>Sets the function that returns the listener outside of calls.</summary>
    public void Open(Func<Listener?> listener) => sessionListener = listener;

    /// <summary>
    /// Sends the messages of the current asynchronous flow to a listener until the listener is disposed.
    /// </summary>
    public void Enter(Listener? listener) => callListener.Value = listener;

    public ILogger LoggerFor(string category) => new PluginLogger(category, this);

    public bool IsEnabled(LogLevel level) =>
        level is not LogLevel.None && level >= (Current?.MinLevel ?? LogLevel.Information);

    public void Write(string category, LogLevel level, string message)
    {
        if (rateLimit.TryConsume())
        {
            Send(category, level, message);
        }
    }

    private Listener? Current => callListener.Value is { IsDisposed: false } listener ? listener : sessionListener();

    /// <summary>
    /// Writes a message to stderr when no client can listen. A message of several lines stays one line of JSON, so that
    /// Mortise redacts it as a whole.
    /// </summary>
    public static void WriteToStderr(string category, LogLevel level, string message) =>
        WriteToStderr(Parameters(category, level, message));

    private static void WriteToStderr(JsonObject parameters) =>
        Console.Error.WriteLine($"{Prefix}{parameters.ToJsonString()}");

    private void Send(string category, LogLevel level, string message)
    {
        var parameters = Parameters(category, level, message);
        if (Current?.Session.TryNotify(NotificationMethods.LoggingMessageNotification, parameters) is not true)
        {
            WriteToStderr(parameters);
        }
    }

    private static JsonObject Parameters(string category, LogLevel level, string message) => new()
    {
        ["level"] = Name(level),
        ["logger"] = category,
        ["data"] = message,
    };

    private static string Name(LogLevel level) => level switch
    {
        LogLevel.Trace or LogLevel.Debug => "debug",
        LogLevel.Information => "info",
        LogLevel.Warning => "warning",
        LogLevel.Error => "error",
        _ => "critical",
    };
}
