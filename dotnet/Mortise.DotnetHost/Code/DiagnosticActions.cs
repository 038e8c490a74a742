using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>The errors and warnings of the compiler, without a build.</summary>
internal static class DiagnosticActions
{
    /// <summary>Errors that code of a generator may explain: a name, a type, a member or a part that is missing.</summary>
    private static readonly HashSet<string> MayNeedGenerator =
        ["CS0103", "CS0117", "CS0120", "CS0234", "CS0246", "CS0534", "CS0535", "CS1061", "CS1929", "CS5001", "CS8795", "CS9248"];

    public static async Task<CodeAnswer> DiagnosticsAsync(CodeQuery query)
    {
        var all = Describe(query, await OfEachProjectAsync(query))
            .Where(one => query.Request.Severity is null or "warning" || one.Severity == "error")
            .ToList();
        var page = Page<CodeDiagnostic>.Of(all, query.Request);
        var needing = all.Count(one => one.NeedsGenerator == true);
        return new(
            Diagnostics: page.Items,
            Counts: all.CountBy(one => one.Project),
            Total: page.Total,
            NextCursor: page.NextCursor,
            ErrorCount: all.Count(one => one.Severity == "error") - needing,
            WarningCount: all.Count(one => one.Severity == "warning"),
            NeedingGenerators: needing == 0 ? null : needing);
    }

    /// <summary>Diagnostics that a build reports: each once, errors first, then by place.</summary>
    public static IReadOnlyList<CodeDiagnostic> Describe(CodeQuery query, IEnumerable<(Project, IEnumerable<Diagnostic>)> results)
    {
        var found = new List<(CodeDiagnostic Diagnostic, ProjectSpec Spec)>();
        foreach (var (project, diagnostics) in results)
        {
            var spec = query.SpecOf(project);
            found.AddRange(diagnostics.Where(one => IsReported(one, spec)).Select(one => (Describe(one, project, spec, query), spec)));
        }
        return found
            .GroupBy(one => one.Diagnostic)
            .Select(group => WithFrameworks(query, group.Key, [.. group.Select(one => one.Spec)]))
            .OrderBy(one => one.Severity == "error" ? 0 : 1).ThenBy(one => one.NeedsGenerator ?? false)
            .ThenBy(one => one.File, StringComparer.Ordinal).ThenBy(one => one.Line).ThenBy(one => one.Column).ThenBy(one => one.Code, StringComparer.Ordinal)
            .ToList();
    }

    private static async Task<List<(Project, IEnumerable<Diagnostic>)>> OfEachProjectAsync(CodeQuery query)
    {
        var results = new List<(Project, IEnumerable<Diagnostic>)>();
        if (query.Request.File is { } file)
        {
            // Code that a generator makes of a file has diagnostics with places in that file.
            foreach (var project in query.ProjectsWithAdditionalFile(file))
            {
                var compilation = (await project.GetCompilationAsync(query.Cancellation))!;
                results.Add((project, compilation.GetDiagnostics(query.Cancellation).Where(one => one.Location.GetMappedLineSpan().Path == file)));
            }
            if (results.Count > 0)
                return results;
            foreach (var document in query.DocumentsOf(file))
            {
                var model = (await document.GetSemanticModelAsync(query.Cancellation))!;
                results.Add((document.Project, model.GetDiagnostics(cancellationToken: query.Cancellation)));
            }
            return results;
        }
        foreach (var project in query.Projects)
        {
            var compilation = (await project.GetCompilationAsync(query.Cancellation))!;
            results.Add((project, OfBuild(compilation, query.SpecOf(project), query.Cancellation)));
        }
        return results;
    }

    /// <summary>A build stops after errors of syntax, and after errors in declarations.</summary>
    private static IEnumerable<Diagnostic> OfBuild(Compilation compilation, ProjectSpec spec, CancellationToken cancellation)
    {
        var syntax = compilation.GetParseDiagnostics(cancellation);
        if (syntax.Any(one => StopsBuild(one, spec)))
            return syntax;
        var declarations = syntax.Concat(compilation.GetDeclarationDiagnostics(cancellation)).ToList();
        return declarations.Exists(one => StopsBuild(one, spec)) ? declarations : compilation.GetDiagnostics(cancellation);
    }

    /// <summary>False for warnings that are made errors, and for errors that the output of a generator may explain.</summary>
    private static bool StopsBuild(Diagnostic diagnostic, ProjectSpec spec) =>
        diagnostic.DefaultSeverity == DiagnosticSeverity.Error && !NeedsGenerator(diagnostic, spec);

    private static bool NeedsGenerator(Diagnostic diagnostic, ProjectSpec spec) =>
        diagnostic.Severity == DiagnosticSeverity.Error && spec.WithheldGenerators.Count > 0 && MayNeedGenerator.Contains(diagnostic.Id);

    /// <summary>The entry point of a test project is a file that its build writes.</summary>
    private static bool IsReported(Diagnostic diagnostic, ProjectSpec spec) =>
        diagnostic.Severity >= DiagnosticSeverity.Warning && !diagnostic.IsSuppressed
        && !(diagnostic.Id == "CS5001" && spec.HasEntryPointOfBuild);

    private static CodeDiagnostic Describe(Diagnostic diagnostic, Project project, ProjectSpec spec, CodeQuery query)
    {
        var isInFile = diagnostic.Location.IsInSource;
        var (path, line, column, _) = isInFile ? Locations.Of(diagnostic.Location.GetMappedLineSpan()) : default;
        return new(
            diagnostic.Severity == DiagnosticSeverity.Error ? "error" : "warning",
            diagnostic.Id,
            diagnostic.GetMessage(CultureInfo.InvariantCulture),
            isInFile ? path : null,
            isInFile ? line : null,
            isInFile ? column : null,
            query.ProjectNameOf(project),
            NeedsGenerator: NeedsGenerator(diagnostic, spec) ? true : null);
    }

    private static CodeDiagnostic WithFrameworks(CodeQuery query, CodeDiagnostic diagnostic, List<ProjectSpec> specs)
    {
        var all = query.Snapshot.Specs.Values.Count(spec => spec.Path == specs[0].Path);
        var some = specs.Select(spec => spec.Framework).Distinct().ToList();
        return some.Count == all ? diagnostic : diagnostic with { Frameworks = some };
    }
}
