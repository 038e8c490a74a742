using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using Server = ModelContextProtocol.Server.McpServer;

namespace Mortise.PluginHost.Serving;

/// <summary>A client that wants log messages.</summary>
/// <param name="session">The session of the client.</param>
/// <param name="least">The lowest level that the client wants.</param>
internal sealed class Listener(McpSession session, LogLevel least) : IDisposable
{
    /// <summary>
    /// The first protocol version without sessions, in which each request names the level that it wants.
    /// </summary>
    private const string PerRequest = "2026-07-28";

    public McpSession Session => session;

    public LogLevel Least => least;

    /// <summary>True after the end of the call, because its messages must not follow its result.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>
    /// Returns the client of a session, with level info unless it has set another. Null before the handshake and for
    /// protocol versions without sessions.
    /// </summary>
    public static Listener? OfSession(Server server) =>
        server.NegotiatedProtocolVersion is { } version && !IsPerRequest(version)
            ? new Listener(server, ToLogLevel(server.LoggingLevel) ?? LogLevel.Information)
            : null;

    /// <summary>Returns the client of a call; null if it wants no messages of the call.</summary>
    public static Listener? OfCall(Server server, JsonRpcRequest request)
    {
        if (request.Context?.ProtocolVersion is not { } version || !IsPerRequest(version))
        {
            return OfSession(server);
        }
        return ToLogLevel(request.Context.LogLevel) is { } asked ? new Listener(server, asked) : null;
    }

    public void Dispose() => HasLeft = true;

    private static bool IsPerRequest(string version) => string.CompareOrdinal(version, PerRequest) >= 0;

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
