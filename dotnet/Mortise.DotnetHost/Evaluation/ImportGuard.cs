using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Framework;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// Judges every file before MSBuild evaluates it. When MSBuild has resolved and parsed an import, and has evaluated nothing
/// of it, it reports the import to the loggers of its ProjectCollection, in the thread that evaluates. A file that is refused
/// is emptied then, in memory, so that nothing of it is evaluated. (MSBuild ignores exceptions of loggers here.) So imports
/// need not be resolved a second time, whatever they are computed from. Files of the .NET SDK are not judged.
/// </summary>
internal sealed class ImportGuard(FileJudge judge, string project) : ILogger
{
    private readonly HashSet<string> _reported = new(StringComparer.Ordinal);

    /// <summary>The first file of the project that was refused; null if there is none.</summary>
    public RefusedFile? Refused { get; private set; }

    /// <summary>The imported files so far.</summary>
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

    /// <summary>Refuses imports that MSBuild has not reported. Its resolvers make some that are not files.</summary>
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
            // The file would be evaluated now, and could not be judged or emptied.
            Environment.FailFast($"{path} cannot be judged", error);
        }
    }
}
