// Client <version> http <url>
// Client <version> stdio <command> <argument>...
// Connects, writes the version that was agreed on, and then for each line of stdin, which names a feature, one line of JSON.
using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

var (version, transportName, target, arguments) = (args[0], args[1], args[2], args[3..]);
IClientTransport transport = transportName == "http"
    ? new HttpClientTransport(new() { Endpoint = new Uri(target), TransportMode = HttpTransportMode.StreamableHttp })
    : new StdioClientTransport(new() { Command = target, Arguments = arguments, Name = "mortise" });

var toolsChanged = new TaskCompletionSource();
var updated = new TaskCompletionSource<string>();
var options = new McpClientOptions
{
    ClientInfo = new() { Name = "csharp", Version = "1" },
    ProtocolVersion = version,
    InitializationTimeout = TimeSpan.FromSeconds(100),
    DiscoverProbeTimeout = TimeSpan.FromSeconds(100),
    Handlers = new()
    {
        ElicitationHandler = (request, _) => ValueTask.FromResult(new ElicitResult
        {
            Action = "accept",
            Content = new Dictionary<string, JsonElement> { ["name"] = JsonSerializer.SerializeToElement("Ada") },
        }),
        NotificationHandlers =
        [
            new(NotificationMethods.ToolListChangedNotification, (_, _) =>
            {
                toolsChanged.TrySetResult();
                return default;
            }),
            new(NotificationMethods.ResourceUpdatedNotification, (notification, _) =>
            {
                updated.TrySetResult((string)notification.Params!["uri"]!);
                return default;
            }),
        ],
    },
};

await using var client = await McpClient.CreateAsync(transport, options);
Console.WriteLine(JsonSerializer.Serialize(client.NegotiatedProtocolVersion));

var features = new Dictionary<string, Func<Task<JsonNode?>>>
{
    ["tools"] = async () => new JsonArray([.. (await client.ListToolsAsync()).Select(tool => (JsonNode)tool.Name)]),
    ["structured output"] = async () =>
    {
        var result = await CallAsync("add", new() { ["a"] = 2, ["b"] = 3 });
        return JsonSerializer.SerializeToNode(result.StructuredContent);
    },
    ["error"] = async () =>
    {
        var result = await CallAsync("fails");
        return new JsonObject { ["isError"] = result.IsError, ["code"] = (string?)result.StructuredContent!.Value.GetProperty("errors")[0].GetProperty("code").GetString() };
    },
    ["progress"] = async () =>
    {
        var reports = new JsonArray();
        var progress = new Reports(async value =>
        {
            reports.Add(new JsonObject { ["progress"] = value.Progress, ["total"] = value.Total, ["message"] = value.Message });
            await CallAsync("finish");
        });
        var result = await client.CallToolAsync("steps", progress: progress);
        return new JsonObject { ["reports"] = reports, ["text"] = TextOf(result) };
    },
    ["elicitation"] = async () => TextOf(await CallAsync("greet")),
    ["resource"] = async () =>
    {
        var result = await client.ReadResourceAsync("notes://today");
        return ((TextResourceContents)result.Contents[0]).Text;
    },
    ["subscription"] = async () =>
    {
        await client.SubscribeToResourceAsync("notes://today");
        await CallAsync("touch");
        return await updated.Task;
    },
    ["prompt"] = async () =>
    {
        var result = await client.GetPromptAsync("greeting", new Dictionary<string, object?> { ["name"] = "Ada" });
        return ((TextContentBlock)result.Messages[0].Content).Text;
    },
    ["completion"] = async () =>
    {
        var result = await client.CompleteAsync(new PromptReference { Name = "greeting" }, "name", "A");
        return new JsonArray([.. result.Completion.Values.Select(value => (JsonNode)value)]);
    },
    ["list change"] = async () =>
    {
        await CallAsync("grow");
        await toolsChanged.Task;
        return (await client.ListToolsAsync()).Any(tool => tool.Name == "added");
    },
};

while (Console.ReadLine() is { } feature)
{
    JsonObject answer;
    try
    {
        answer = new() { ["value"] = await features[feature]() };
    }
    catch (Exception error)
    {
        answer = new() { ["error"] = error.ToString() };
    }
    Console.WriteLine(answer.ToJsonString());
}

async Task<CallToolResult> CallAsync(string name, Dictionary<string, object?>? arguments = null) =>
    await client.CallToolAsync(name, arguments);

static string TextOf(CallToolResult result) => ((TextContentBlock)result.Content[0]).Text;

/// <summary>In order, on the thread that reads the message.</summary>
file sealed class Reports(Func<ProgressNotificationValue, Task> report) : IProgress<ProgressNotificationValue>
{
    public void Report(ProgressNotificationValue value) => _ = report(value);
}
