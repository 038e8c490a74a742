using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Framework;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// Judges every file before MSBuild evaluates it. After MSBuild has resolved and parsed an import, and before it evaluates
/// the file, it reports the import to the loggers of its ProjectCollection, on the thread that evaluates. A refused file is
/// emptied in memory at that time, so that nothing of it is evaluated, because MSBuild ignores exceptions of loggers there.
/// So no import has to be resolved a second time. Files of the .NET SDK are not judged.
/// </summary>
internal sealed class ImportGuard(FileJudge judge, string project) : ILogger
{
    private readonly HashSet<string> _reported = new(StringComparer.Ordinal);

    /// <summary>The first file of the project that was refused; null if there is none.</summary>
    public RefusedFile? Refused { get; private set; }

    /// <summary>The files whose import was reported so far.</summary>
    public IReadOnlyCollection<string> Reported => _reported;

    public ProjectCollection? Collection { get; set; }

    public LoggerVerbosity Verbosity { get; set; } = LoggerVerbosity.Diagnostic;

    public string? Parameters { get; set; }

    public void Initialize(IEventSource eventSource) => eventSource.MessageRaised += OnMessage;

    public void Shutdown()
    {
    }

    /// <summary>Judges a file, and empties it if it is refused.</summary>
    public void Check(ProjectRootElement file)
    {
        if (judge.Check(file, project) is { } refused)
            Refused ??= refused;
    }

    /// <summary>Refuses an import that MSBuild has not reported, unless it is no file: resolvers make such imports.</summary>
    public void CheckReported(IEnumerable<string> imports)
    {
        if (imports.FirstOrDefault(path => !_reported.Contains(path) && File.Exists(path)) is { } path)
            Refused ??= new(path, Line: 0, "an import that MSBuild has not reported");
    }

    private void OnMessage(object sender, BuildMessageEventArgs message)
    {
        if (message is not ProjectImportedEventArgs { ImportIgnored: false, ImportedProjectFile: { Length: > 0 } path })
            return;
        _reported.Add(path);
        if (judge.IsOfSdk(path))
            return;
        try
        {
            Check(ProjectRootElement.TryOpen(path, Collection!)!);
        }
        catch (Exception error)
        {
            // Otherwise, MSBuild would evaluate the file without a judgement.
            Environment.FailFast($"{path} cannot be judged", error);
        }
    }
}
