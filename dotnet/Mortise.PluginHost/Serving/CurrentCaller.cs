using System.Text.Json.Nodes;
using McpServer.Plugins;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>Holds the caller of the call in the current asynchronous flow.</summary>
internal sealed class CurrentCaller
{
    /// <summary>
    /// The member of <c>_meta</c> in which Mortise names the caller (docs/spec/csharp-plugins.md#csharp-caller).
    /// </summary>
    private const string Key = "mortise/caller";

    private readonly AsyncLocal<Call?> current = new();

    public CallerInfo? Value => current.Value?.Caller;

    /// <summary>Sets the caller of the current asynchronous flow until the return value is disposed.</summary>
    public IDisposable Enter(RequestParams request) => current.Value = new Call { Caller = Read(request.Meta?[Key]) };

    private static CallerInfo? Read(JsonNode? caller) => Text(caller, "principal") is { } principal
        ? new CallerInfo { Principal = principal, Issuer = Text(caller, "issuer"), Subject = Text(caller, "subject") }
        : null;

    private static string? Text(JsonNode? node, string member) => (string?)(node as JsonObject)?[member];

    /// <summary>
    /// A call. Work that continues after the call's end has no caller, because it may serve other callers.
    /// </summary>
    private sealed class Call : IDisposable
    {
        public CallerInfo? Caller { get; set; }

        public void Dispose() => Caller = null;
    }
}
