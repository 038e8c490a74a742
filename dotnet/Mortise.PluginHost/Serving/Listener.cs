using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using Server = ModelContextProtocol.Server.McpServer;

namespace Mortise.PluginHost.Serving;

/// <summary>A client that wants log messages.</summary>
/// <param name="session">Its session.</param>
/// <param name="least">From this level on.</param>
internal sealed class Listener(McpSession session, LogLevel least) : IDisposable
{
    /// <summary>The first version without sessions: each request says which messages it wants.</summary>
    private const string PerRequest = "2026-07-28";

    public McpSession Session => session;

    public LogLevel Least => least;

    /// <summary>Messages of a call must not follow its result.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>The client of a session, from info where it asked for no level; null before the handshake and with 2026-07-28.</summary>
    public static Listener? OfSession(Server server) =>
        server.NegotiatedProtocolVersion is { } version && !IsPerRequest(version)
            ? new Listener(server, ToLogLevel(server.LoggingLevel) ?? LogLevel.Information)
            : null;

    /// <summary>The client of a call; null when it wants no messages of it.</summary>
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
