using System.Reflection;
using System.Text.Json.Nodes;
using McpServer.Progress;
using McpServer.Protocol;
using McpServer.Tools;
using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Mortise.PluginHost.Loading;
using Mortise.PluginHost.Streams;
using Server = ModelContextProtocol.Server.McpServer;

namespace Mortise.PluginHost.Serving;

/// <summary>Serves the tools of one plugin over MCP.</summary>
internal sealed class PluginServer(Task<LoadedPlugin> loading, ClientLog log, CurrentCaller caller)
{
    /// <summary>
    /// The time that calls get to end after the client has disconnected, and again after they have been cancelled.
    /// </summary>
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(500);

    private readonly RunningCalls calls = new();

    /// <summary>
    /// Serves until the client disconnects or <paramref name="terminated"/> completes. Answers <c>initialize</c> while
    /// the plugin is still loading.
    /// </summary>
    public async Task RunAsync(ProtocolStreams protocol, Task terminated)
    {
        // The transport and the server are not disposed, because that would wait for calls that may never end and for
        // input that may never come.
        var transport = new StreamServerTransport(protocol.Input, protocol.Output);
        var server = Server.Create(transport, Options());
        log.Open(() => Listener.OfSession(server));
        var serving = server.RunAsync();
        await Task.WhenAny(transport.MessageReader.Completion, serving, terminated);
        if (!terminated.IsCompleted)
        {
            await Task.WhenAny(serving, Task.Delay(Grace));
        }
        await Task.WhenAny(serving, calls.CancelAsync(), Task.Delay(Grace));
        log.Open(() => null);
    }

    private McpServerOptions Options() => new()
    {
        ServerInfo = new Implementation
        {
            Name = "mortise-plugin-host",
            Version = Assembly.GetExecutingAssembly().GetName().Version!.ToString(3),
        },
        Capabilities = new ServerCapabilities { Tools = new(), Logging = new() },
        Handlers = new McpServerHandlers { ListToolsHandler = ListAsync, CallToolHandler = CallAsync },
    };

    private async ValueTask<ListToolsResult> ListAsync(
        RequestContext<ListToolsRequestParams> request,
        CancellationToken cancelled)
    {
        var plugin = await loading.WaitAsync(cancelled);
        return new ListToolsResult
        {
            Tools = [.. plugin.Tools.Values.Select(tool => tool.Definition)],
            Meta = plugin.Problems.Count == 0
                ? null
                : new JsonObject { [ProblemsJson.Key] = ProblemsJson.From(plugin.Problems) },
        };
    }

    private async ValueTask<CallToolResult> CallAsync(
        RequestContext<CallToolRequestParams> request,
        CancellationToken cancelledByClient)
    {
        using var running = calls.Enter(cancelledByClient);
        var cancelled = running.Cancelled;
        var plugin = await loading.WaitAsync(cancelled);
        var call = request.Params!;
        if (!plugin.Tools.TryGetValue(call.Name, out var tool))
        {
            throw new McpProtocolException($"Unknown tool: '{call.Name}'", McpErrorCode.InvalidParams);
        }
        using var listener = Listener.OfCall(request.Server, request.JsonRpcRequest);
        log.Enter(listener);
        using var entered = caller.Enter(call);
        using var progress = call.ProgressToken is { } token ? new CallProgress(request.Server, token, cancelled) : null;
        var reporter = (IProgressReporter?)progress ?? NullProgressReporter.Instance;
        var arguments = ToolArguments.From(call.Arguments);
        try
        {
            // The tool runs on the thread pool, because it may block its thread.
            var result = await Task.Run(() => RunAsync(tool.Instance, arguments, reporter, cancelled), cancelled);
            return ToolResults.From(result);
        }
        catch (Exception error) when (!cancelled.IsCancellationRequested)
        {
            log.Write(typeof(PluginServer).Namespace!, LogLevel.Error, $"{call.Name}: {error}");
            return ToolResults.FromException(error);
        }
    }

    private static async Task<ToolCallResult?> RunAsync(
        ITool tool,
        Dictionary<string, object>? arguments,
        IProgressReporter progress,
        CancellationToken cancelled) =>
        tool.ExecuteAsync(arguments, progress, cancelled) is { } running ? await running : null;
}
