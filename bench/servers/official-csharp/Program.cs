using System.ComponentModel;
using ModelContextProtocol.Server;

// The echo server on the official C# SDK, over stdio. An argument `--tools=<n>` adds tools that only are in the list.
var toolCount = args.Where(arg => arg.StartsWith("--tools=")).Select(arg => int.Parse(arg[8..])).FirstOrDefault(1);
var echo = ([Description("What to give back")] string text) => text;
var lookUp = ([Description("Its key")] string key, int? limit = null) => key;

var tools = new McpServerPrimitiveCollection<McpServerTool>
{
    McpServerTool.Create(echo, new() { Name = "echo", Description = "Gives the text back." }),
};
for (var index = 1; index < toolCount; index++)
{
    var description = "Looks a record up and gives its fields.";
    tools.Add(McpServerTool.Create(lookUp, new() { Name = $"look_up_{index}", Description = description }));
}

var options = new McpServerOptions
{
    ServerInfo = new() { Name = "official-csharp", Version = "1.0.0" },
    ToolCollection = tools,
};
await using var server = McpServer.Create(new StdioServerTransport("official-csharp"), options);
await server.RunAsync();
