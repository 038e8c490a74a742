using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using Server = ModelContextProtocol.Server.McpServer;

namespace Mortise.PluginHost.Serving;

/// <summary>A client that wants log messages.</summary>
/// <param name="session">The session of the client.</param>
/// <param name="minLevel">The lowest level that the client wants.</param>
internal sealed class Listener(McpSession session, LogLevel minLevel) : IDisposable
{
    /// <summary>
    /// The first protocol version without sessions, in which each request names the level that it wants.
    /// </summary>
    private const string FirstSessionlessVersion = "2026-07-28";

    public McpSession Session => session;

    public LogLevel MinLevel => minLevel;

    /// <summary>True after the end of the call, because its messages must not follow its result.</summary>
    public bool IsDisposed { get; private set; }

    /// <summary>
    /// Returns the client of a session, with level info unless it has set another. Null before the handshake and for
    /// protocol versions without sessions.
    /// </summary>
    public static Listener? OfSession(Server server) =>
        server.NegotiatedProtocolVersion is { } version && !IsSessionless(version)
            ? new Listener(server, ToLogLevel(server.LoggingLevel) ?? LogLevel.Information)
            : null;

    /// <summary>Returns the client of a call; null if it wants no messages of the call.</summary>
    public static Listener? OfCall(Server server, JsonRpcRequest request)
    {
        if (request.Context?.ProtocolVersion is not { } version || !IsSessionless(version))
        {
            return OfSession(server);
        }
        return ToLogLevel(request.Context.LogLevel) is { } requested ? new Listener(server, requested) : null;
    }

    public void Dispose() => IsDisposed = true;

    private static bool IsSessionless(string version) => string.CompareOrdinal(version, FirstSessionlessVersion) >= 0;

    private static LogLevel? ToLogLevel(LoggingLevel? level) => level switch
    {
        null => null,
        LoggingLevel.Debug => LogLevel.Trace,
        LoggingLevel.Info => LogLevel.Information,
        LoggingLevel.Notice or LoggingLevel.Warning => LogLevel.Warning,
        LoggingLevel.Error => LogLevel.Error,
        _ => LogLevel.Critical,
    };
}
