using System.Reflection;
using System.Text.Json.Nodes;
using McpServer.Progress;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Mortise.PluginHost.Loading;
using Mortise.PluginHost.Streams;
using Server = ModelContextProtocol.Server.McpServer;

namespace Mortise.PluginHost.Serving;

/// <summary>Serves the tools of one plugin over MCP.</summary>
internal sealed class PluginServer(Task<LoadedPlugin> loading, ClientLog log)
{
    /// <summary>Until the client has gone, or `stopping`. `initialize` is answered while the plugin still loads.</summary>
    public async Task RunAsync(ProtocolStreams protocol, CancellationToken stopping)
    {
        await using var transport = new StreamServerTransport(protocol.Input, protocol.Output);
        await using var server = Server.Create(transport, Options());
        log.Open(() => Listener.OfSession(server));
        try
        {
            await server.RunAsync(stopping);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
        finally
        {
            log.Open(() => null);
        }
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
        CancellationToken cancelled)
    {
        var plugin = await loading.WaitAsync(cancelled);
        var call = request.Params!;
        if (!plugin.Tools.TryGetValue(call.Name, out var tool))
        {
            throw new McpProtocolException($"Unknown tool: '{call.Name}'", McpErrorCode.InvalidParams);
        }
        log.Enter(Listener.OfCall(request.Server, request.JsonRpcRequest));
        using var progress = call.ProgressToken is { } token ? new CallProgress(request.Server, token, cancelled) : null;
        var reporter = (IProgressReporter?)progress ?? NullProgressReporter.Instance;
        var arguments = ToolArguments.From(call.Arguments);
        try
        {
            // Elsewhere, for a tool may block its thread.
            var result = await Task.Run(() => tool.Instance.ExecuteAsync(arguments, reporter, cancelled), cancelled);
            return ToolResults.From(result);
        }
        catch (Exception error) when (!cancelled.IsCancellationRequested)
        {
            Console.Error.WriteLine($"{call.Name}: {error}");
            return ToolResults.Error(Thrown.Describe(error));
        }
    }
}
