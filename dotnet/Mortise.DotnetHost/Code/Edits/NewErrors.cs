using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Compares the errors of a solution before and after a change.</summary>
/// <param name="Added">Errors that the change makes.</param>
/// <param name="Left">All errors after the change.</param>
/// <param name="RemovedCount">How many errors are gone.</param>
internal sealed record NewErrors(IReadOnlyList<CodeDiagnostic> Added, IReadOnlyList<CodeDiagnostic> Left, int RemovedCount)
{
    /// <summary>The compiler does not remember the errors in bodies of members.</summary>
    private static readonly ConditionalWeakTable<Compilation, IReadOnlyList<Diagnostic>> ByCompilation = [];

    /// <param name="renamed">Names that mean the same in a message, if the change is a rename.</param>
    public static async Task<NewErrors> CompareAsync(CodeQuery query, SolutionEdits edits, (string Old, string New)? renamed = null)
    {
        var projects = Affected(edits);
        var before = await ErrorsAsync(query, edits.Original, projects);
        var after = await ErrorsAsync(query, edits.Changed, projects);
        var known = before.GroupBy(KeyOf).ToDictionary(group => group.Key, group => group.Count());
        var added = new List<CodeDiagnostic>();
        foreach (var error in after)
        {
            var key = KeyOf(error);
            if (known.GetValueOrDefault(key) > 0)
                known[key]--;
            else
                added.Add(error);
        }
        return new(added, after, known.Values.Sum());

        // Lines move, so an error is known by what it says.
        (string, string, string?) KeyOf(CodeDiagnostic error) =>
            (error.Code, renamed is { } names ? error.Message.Replace(names.New, names.Old) : error.Message, error.File);
    }

    /// <summary>Projects with changed documents, and those that depend on them.</summary>
    private static List<ProjectId> Affected(SolutionEdits edits)
    {
        var graph = edits.Original.GetProjectDependencyGraph();
        var changed = edits.Changed.GetChanges(edits.Original).GetProjectChanges().Select(change => change.ProjectId).ToList();
        return changed.Concat(changed.SelectMany(graph.GetProjectsThatTransitivelyDependOnThisProject)).Distinct().ToList();
    }

    /// <summary>The errors of projects, each once.</summary>
    public static async Task<IReadOnlyList<CodeDiagnostic>> ErrorsAsync(CodeQuery query, Solution solution, IEnumerable<ProjectId> projects)
    {
        var errors = await Task.WhenAll(projects.Select(id => Task.Run(async () =>
        {
            var project = solution.GetProject(id)!;
            var compilation = (await project.GetCompilationAsync(query.Cancellation))!;
            return (project, ErrorsOf(compilation, query.Cancellation));
        })));
        return DiagnosticActions.Describe(query, errors);
    }

    private static IEnumerable<Diagnostic> ErrorsOf(Compilation compilation, CancellationToken cancellation)
    {
        if (ByCompilation.TryGetValue(compilation, out var errors))
            return errors;
        errors = [.. compilation.GetDiagnostics(cancellation).Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)];
        ByCompilation.AddOrUpdate(compilation, errors);
        return errors;
    }
}
