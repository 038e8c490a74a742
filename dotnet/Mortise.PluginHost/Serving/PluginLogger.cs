using Microsoft.Extensions.Logging;

namespace Mortise.PluginHost.Serving;

/// <summary>The logger of one class of the plugin.</summary>
internal sealed class PluginLogger(string category, ClientLog log) : ILogger
{
    public bool IsEnabled(LogLevel logLevel) => log.IsEnabled(logLevel);

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            var message = formatter(state, exception);
            log.Write(category, logLevel, exception is null ? message : $"{message}{Environment.NewLine}{exception}");
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;
}
