using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Serialization;
using Mortise.DotnetHost.Code;
using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Hosting;

/// <summary>
/// Serves requests, each of which is a JSON object on a line: <c>{"id":1,"method":"code","params":{}}</c>, or
/// <c>{"cancel":1}</c>. The answer is <c>{"id":1,"result":{}}</c> or <c>{"id":1,"error":{}}</c>. Before it,
/// <c>{"id":1,"progress":"12 of 20 projects"}</c> can be sent. The process ends when its input ends.
/// </summary>
internal static class RequestLoop
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    public static async Task RunAsync(string sdk, Stream input, Stream output)
    {
        using var evaluations = new Evaluations();
        var code = new CodeService(sdk, evaluations);
        var running = new ConcurrentDictionary<int, CancellationTokenSource>();
        using var lines = new StreamReader(input);
        while (await lines.ReadLineAsync() is { } line)
        {
            var message = JsonSerializer.Deserialize<Message>(line, Json)!;
            if (message.Cancel is { } cancelled)
            {
                if (running.TryGetValue(cancelled, out var started))
                    started.Cancel();
                continue;
            }
            var source = running[message.Id] = new CancellationTokenSource();
            _ = Task.Run(async () =>
            {
                Write(output, await AnswerAsync(evaluations, code, message, text => Write(output, new { message.Id, Progress = text }), source.Token));
                running.TryRemove(message.Id, out _);
            });
        }
    }

    private static async Task<object> AnswerAsync(
        Evaluations evaluations, CodeService code, Message message, Action<string> progress, CancellationToken cancellation)
    {
        try
        {
            object result = message.Method switch
            {
                "ping" => new { Environment.ProcessId },
                "evaluate" => await evaluations.EvaluateAsync(message.Params.Deserialize<ReadRequest>(Json)!, cancellation),
                "code" => await code.RunAsync(message.Params.Deserialize<CodeRequest>(Json)!, progress, cancellation),
                _ => throw new CodeException("unknown", $"The method {message.Method} does not exist."),
            };
            return new { message.Id, Result = result };
        }
        catch (CodeException error)
        {
            return new { message.Id, Error = new { error.Kind, error.Message, error.Hint, error.Candidates } };
        }
        catch (OperationCanceledException)
        {
            return new { message.Id, Error = new { Kind = "cancelled", Message = "The call was cancelled." } };
        }
        catch (Exception error)
        {
            return new { message.Id, Error = new { Kind = "internal", Message = error.ToString() } };
        }
    }

    private static void Write(Stream output, object message)
    {
        var line = JsonSerializer.SerializeToUtf8Bytes(message, Json);
        lock (output)
        {
            output.Write(line);
            output.WriteByte((byte)'\n');
            output.Flush();
        }
    }

    private sealed record Message(int Id, string? Method, JsonElement Params, int? Cancel);
}
