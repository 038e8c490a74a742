using McpServer.Plugins;
using McpServer.Progress;
using McpServer.Protocol;
using McpServer.Tools;
using Microsoft.Extensions.Logging;

public sealed class MyTool(PluginContext context) : ITool
{
    private readonly string greeting = context.GetConfig("greeting") ?? "Hello";

    public string Name => "my_tool";

    public string Description => "Greets a person by name.";

    public JsonSchema InputSchema => new()
    {
        Type = "object",
        Properties = new()
        {
            ["name"] = new() { Type = "string", Description = "The name of the person, for example Ada" },
        },
        Required = ["name"],
    };

    public Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        var name = arguments?.GetValueOrDefault("name") as string;
        if (string.IsNullOrWhiteSpace(name))
        {
            return Task.FromResult(Text("There is no one to greet: give the argument name.", isError: true));
        }

        // Long work reports its progress, and ends when the call is cancelled.
        progress?.Report(50, $"Greeting {name}");
        cancellationToken.ThrowIfCancellationRequested();
        context.Logger.LogInformation("Greeting {Name}", name);
        return Task.FromResult(Text($"{greeting}, {name}!"));
    }

    private static ToolCallResult Text(string text, bool isError = false) =>
        new() { Content = [new() { Type = "text", Text = text }], IsError = isError };
}
