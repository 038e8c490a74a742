using McpServer.Progress;
using McpServer.Protocol;
using Kit;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Web;

/// <summary>Needs ASP.NET Core, and packages that are a part of it.</summary>
public sealed class Query() : Tool("query")
{
    private readonly ServiceProvider services = new ServiceCollection().AddLogging().BuildServiceProvider();

    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        using var scope = services.CreateScope();
        return Task.FromResult(Text(QueryString.Create("a", "b c").ToString()));
    }
}
