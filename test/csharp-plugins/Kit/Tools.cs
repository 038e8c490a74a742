using System.Globalization;
using McpServer.Plugins;
using McpServer.Progress;
using McpServer.Protocol;
using McpServer.Tools;
using Microsoft.Extensions.Logging;

namespace Kit;

/// <summary>Its arguments, with their types.</summary>
public sealed class Echo() : Tool("echo")
{
    public override JsonSchema InputSchema => new()
    {
        Type = "object",
        Properties = new()
        {
            ["text"] = new() { Type = "string", Description = "Words" },
            ["count"] = new() { Type = "number", Description = "A number" },
        },
        Required = ["text"],
    };

    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) =>
        Task.FromResult(Text(string.Join(", ", arguments!.Select(each =>
            string.Create(CultureInfo.InvariantCulture, $"{each.Key} {each.Value.GetType().Name} {each.Value}")))));
}

public sealed class Config(PluginContext context) : Tool("config")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) =>
        Task.FromResult(Text(context.GetConfig((string)arguments!["key"]) ?? "null"));
}

public sealed class Steps() : Tool("steps")
{
    public override async Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        // Clients drop progress that comes together with the result.
        foreach (var (percent, words) in new[] { (25, "one"), (50, "two"), (75, "three") })
        {
            progress!.Report(percent, words);
            await Task.Delay(50, cancellationToken);
        }
        return Text("done");
    }
}

/// <summary>Whether it has arguments.</summary>
public sealed class Given() : Tool("given")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) =>
        Task.FromResult(Text(arguments is null ? "null" : $"{arguments.Count}"));
}

/// <summary>Reports and logs as fast as it can.</summary>
public sealed class Flood(PluginContext context) : Tool("flood")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        for (var each = 0; each < 50_000; each++)
        {
            progress!.Report(each * 100.0 / 50_000, 100);
            context.Logger.LogInformation("line {Number}", each);
        }
        return Task.FromResult(Text("flooded"));
    }
}

/// <summary>Until it is cancelled, or for the milliseconds of `ms`; then its version and that of what lies beside it.</summary>
public sealed class Wait(PluginContext context) : Tool("wait")
{
    public override async Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        context.Logger.LogInformation("waiting");
        var ms = arguments is not null && arguments.TryGetValue("ms", out var given) ? (int)(double)given : -1;
        try
        {
            await Task.Delay(ms, cancellationToken);
            return Text($"version {Version}, {KitParts.Parts.Words()}");
        }
        catch (OperationCanceledException)
        {
            Console.Error.WriteLine("the wait was cancelled");
            throw;
        }
    }
}

public sealed class Print() : Tool("print")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        Console.WriteLine("a line on the console");
        Console.OpenStandardOutput().Write("""{"jsonrpc":"2.0","id":1,"result":{}}"""u8);
        return Task.FromResult(Text("printed"));
    }
}

public sealed class Die() : Tool("die")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        Environment.FailFast("out of cheese");
        return Task.FromResult(Text("never"));
    }
}

public sealed class Hog() : Tool("hog")
{
    public override async Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        var kept = new List<byte[]>();
        for (var megabytes = 0; megabytes < 400; megabytes += 20)
        {
            var bytes = new byte[20 * 1024 * 1024];
            Array.Fill(bytes, (byte)1);
            kept.Add(bytes);
        }
        await Task.Delay(20_000, cancellationToken);
        return Text($"{kept.Count}");
    }
}

/// <summary>Writes to the file `dispose_file` of the configuration when it is disposed of.</summary>
public sealed class Keep(PluginContext context) : Tool("keep"), IDisposable
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) => Task.FromResult(Text("kept"));

    public void Dispose()
    {
        if (context.GetConfig("dispose_file") is { } file)
        {
            File.AppendAllText(file, $"disposed {Version}\n");
        }
    }
}

#if NEXT
public sealed class Added() : Tool("added")
{
    public override Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default) => Task.FromResult(Text("new"));
}
#endif

/// <summary>Fails as `how` says. Its constructor logs.</summary>
public sealed class Fail : Tool
{
    public Fail(PluginContext context)
        : base("fail") =>
        context.Logger.LogWarning("made by its constructor");

    public override async Task<ToolCallResult> ExecuteAsync(
        Dictionary<string, object>? arguments,
        IProgressReporter? progress = null,
        CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        return (string)arguments!["how"] switch
        {
            "null" => null!,
            "block" => new() { Content = [new() { Type = "video" }] },
            "null block" => new() { Content = [null!] },
            "error" => new() { Content = [new() { Type = "text", Text = "It failed" }], IsError = true },
            { } how when how.StartsWith("throw ", StringComparison.Ordinal) => throw new InvalidOperationException(how["throw ".Length..]),
            _ => throw new InvalidOperationException("It broke"),
        };
    }
}
