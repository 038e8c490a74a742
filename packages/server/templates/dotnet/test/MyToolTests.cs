using McpServer.Plugins;
using McpServer.Progress;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

public class MyToolTests
{
    private static MyTool Tool(string? greeting = null) =>
        new(new PluginContext(key => key == "greeting" ? greeting : null, NullLogger.Instance));

    [Fact]
    public async Task Greets_a_person_by_name_with_the_configured_greeting()
    {
        var result = await Tool("Welcome").ExecuteAsync(new() { ["name"] = "Ada" }, new NullProgressReporter());
        Assert.False(result.IsError);
        Assert.Equal("Welcome, Ada!", Assert.Single(result.Content).Text);
    }

    [Fact]
    public async Task Fails_when_there_is_no_one_to_greet()
    {
        var result = await Tool().ExecuteAsync(null);
        Assert.True(result.IsError);
        Assert.Contains("no one", Assert.Single(result.Content).Text);
    }

    [Fact]
    public async Task Ends_when_the_call_is_cancelled()
    {
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            Tool().ExecuteAsync(new() { ["name"] = "Ada" }, null, cancelled));
    }
}
