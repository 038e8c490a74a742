using System.Collections.Concurrent;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// Evaluates projects, one request after the other, because MSBuild keeps parsed files for the whole process, and NuGet's
/// scratch folder is an environment variable of the process. All requests run on one thread, which is not of the pool: on
/// Linux, a thread of the pool that an evaluation starts inherits the limits of the evaluation, and cannot write.
/// </summary>
internal sealed class Evaluations : IDisposable
{
    /// <summary>The exit code of the process if a cancelled evaluation does not end.</summary>
    private const int AbandonedExitCode = 73;

    private static readonly TimeSpan CancelTimeout = TimeSpan.FromSeconds(10);

    private readonly BlockingCollection<Action> _requests = [];
    private readonly string _folder = Directory.CreateTempSubdirectory("mortise-host-").FullName;

    public Evaluations()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Dispose();
        new Thread(RunAll) { IsBackground = true, Name = "evaluations" }.Start();
    }

    /// <summary>Evaluates the projects of a request. A request that is cancelled while it waits is not started.</summary>
    public async Task<ReadResult> EvaluateAsync(ReadRequest request, CancellationToken cancellation)
    {
        var answer = new TaskCompletionSource<ReadResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        _requests.Add(
            () =>
            {
                if (cancellation.IsCancellationRequested)
                {
                    answer.SetCanceled(cancellation);
                    return;
                }
                using var onCancel = cancellation.Register(() => ExitUnlessFinished(answer.Task));
                try
                {
                    answer.SetResult(Evaluate(request, cancellation));
                }
                catch (OperationCanceledException)
                {
                    answer.SetCanceled(cancellation);
                }
                catch (Exception error)
                {
                    answer.SetException(error);
                }
            },
            cancellation);
        return await answer.Task.WaitAsync(cancellation);
    }

    public void Dispose()
    {
        try
        {
            Directory.Delete(_folder, recursive: true);
        }
        catch (IOException)
        {
            // An evaluation is still writing there, or the folder has been removed already.
        }
    }

    private void RunAll()
    {
        foreach (var request in _requests.GetConsumingEnumerable())
            request();
    }

    /// <summary>Ends the process, because MSBuild cannot be interrupted, and the next requests wait for the evaluation.</summary>
    private static void ExitUnlessFinished(Task evaluation) => _ = Task.Delay(CancelTimeout).ContinueWith(
        _ =>
        {
            if (!evaluation.IsCompleted)
                Environment.Exit(AbandonedExitCode);
        },
        TaskScheduler.Default);

    private ReadResult Evaluate(ReadRequest request, CancellationToken cancellation)
    {
        var scratch = Path.Combine(_folder, "scratch");
        if (Directory.Exists(scratch))
            Directory.Delete(scratch, recursive: true);
        var result = new ProjectEvaluator(request, cancellation).EvaluateAll(_folder);
        return request.Solution is null ? result : result with { SolutionError = SolutionLoader.FindError(request.Solution) };
    }
}
