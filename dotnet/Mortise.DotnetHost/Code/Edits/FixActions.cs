using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Fixes and ApplyFix.</summary>
internal static class FixActions
{
    /// <summary>More places than this are left for another call.</summary>
    private const int MaxPlaces = 200;

    public const int MaxDiagnostics = 20;

    public static async Task<CodeAnswer> FixesAsync(CodeQuery query)
    {
        var (file, line) = (query.Request.File!, query.Request.Line!.Value);
        var fixes = new List<FixInfo>();
        foreach (var fix in await Fix.FindAsync(query, file, line, query.Request.Column, query.Request.Code))
        {
            if (await EditsOfAsync(query, fix) is { Files.Count: > 0 } edits)
                fixes.Add(new(fix.Id, fix.Title, fix.Code, Previews.Check(query.Request, edits.Files), [.. edits.Files.Select(edit => edit with { Text = null })]));
        }
        var page = Page<FixInfo>.Of(fixes, query.Request);
        return new(Fixes: page.Items, Total: page.Total, NextCursor: page.NextCursor);
    }

    /// <summary>Without a line, applies each fix that is meant.</summary>
    public static async Task<CodeAnswer> ApplyFixAsync(CodeQuery query)
    {
        var request = query.Request;
        if (request.Line is not { } line)
            return await Repairs.RepairAllAsync(query);
        var found = await Fix.FindAsync(query, request.File!, line, request.Column, request.Code);
        var fix = await ChosenAsync(query, found);
        var (edits, notes) = request.Scope is null or "place"
            ? (await EditsOfAsync(query, fix), [])
            : await EverywhereAsync(query, fix);
        if (edits is null || edits.Files.Count == 0)
            throw new CodeException("fix", $"{fix.Title} changes no C# file.", "Choose another fix.", Candidates(found));
        var errors = await NewErrors.CompareAsync(query, edits);
        List<string> conflicts = [.. edits.Conflicts, .. errors.Added.Select(error => error.Describe())];
        return Answers.Of(query, edits, errors, conflicts, notes) with
        {
            Diagnostics = [.. errors.Left.Take(MaxDiagnostics)],
            Title = fix.Title,
        };
    }

    /// <summary>The fix with this id or title; without one, the only fix, or the only one that is meant.</summary>
    private static async Task<Fix> ChosenAsync(CodeQuery query, IReadOnlyList<Fix> found)
    {
        var (wanted, place) = (query.Request.Fix, $"{query.Request.File}({query.Request.Line})");
        var fitting = wanted is null ? found.Where(fix => fix.Code is not null) : found.Where(fix => fix.Id == wanted || fix.Title == wanted);
        return fitting.DistinctBy(fix => fix.Title).ToList() switch
        {
            [var only] => only,
            [] when wanted is null => throw new CodeException("fix", $"There is no fix for {query.Request.Code ?? "a diagnostic"} at {place}.", "Correct the code, or see Fixes for refactorings.", Candidates(found)),
            [] => throw new CodeException("fix", $"{place} has no fix {wanted}.", "Name one of the fixes.", Candidates(found)),
            _ when wanted is null && await Repairs.MeantAsync(query, found) is [var (meant, _)] => meant,
            _ => throw new CodeException("fix", $"{place} has several fixes.", "Name one of them.", Candidates(found)),
        };
    }

    private static List<SymbolInfo> Candidates(IEnumerable<Fix> found) =>
        [.. found.Select(fix => new SymbolInfo(fix.Title, fix.Code is null ? "refactoring" : "fix", fix.Title))];

    public static async Task<SolutionEdits?> EditsOfAsync(CodeQuery query, Fix fix)
    {
        var variants = await fix.VariantsAsync(query.Solution, query.Cancellation);
        return variants.Count == 0 ? null : WithItems(query, await SolutionEdits.CreateAsync(query.Solution, variants, query.Cancellation));
    }

    /// <summary>Includes new files in projects that name each of their files.</summary>
    private static SolutionEdits WithItems(CodeQuery query, SolutionEdits edits)
    {
        var (projectFiles, notes) = (new ProjectFileEdits(), edits.Notes.ToList());
        foreach (var file in edits.Files.Where(file => file.Hash is null))
        {
            var specs = edits.Changed.GetDocumentIdsWithFilePath(file.Path).Select(id => query.Snapshot.Specs[id.ProjectId]);
            foreach (var spec in specs.Where(spec => !spec.HasDefaultItems && !projectFiles.TryAdd(spec, file.Path)))
                notes.Add($"{spec.Path} may not include {file.Path}. Add a Compile item if it does not.");
        }
        return edits with { Files = [.. edits.Files, .. projectFiles.Edits], Notes = notes };
    }

    /// <summary>Applies the fix at each diagnostic of its code that has a fix of the same title.</summary>
    private static async Task<(SolutionEdits, IReadOnlyList<string>)> EverywhereAsync(CodeQuery query, Fix fix)
    {
        if (fix.Code is null)
            throw new CodeException("scope", $"{fix.Title} is a refactoring of one place.", "Omit scope.");
        var count = 0;
        var current = query;
        foreach (var file in FilesOf(query))
        {
            var tried = new HashSet<int>();
            while (count < MaxPlaces && await NextAsync(current, file, fix, tried) is { } edits)
            {
                current = current with { Snapshot = current.Snapshot with { Solution = edits.Changed } };
                count++;
            }
        }
        var all = await SolutionEdits.CreateAsync(query.Solution, [current.Solution], query.Cancellation);
        return (WithItems(query, all), count < MaxPlaces ? [] : [$"{MaxPlaces} places are fixed. Call again for more."]);
    }

    private static IEnumerable<string> FilesOf(CodeQuery query)
    {
        var projects = query.DocumentsOf(query.Request.File!).Select(document => document.Project).ToList();
        var documents = query.Request.Scope switch
        {
            "document" => query.DocumentsOf(query.Request.File!),
            "project" => projects.SelectMany(project => project.Documents),
            _ => query.Solution.Projects.SelectMany(project => project.Documents),
        };
        return documents.Select(document => document.FilePath!).Distinct().Where(path => !Locations.IsGenerated(path)).Order(StringComparer.Ordinal);
    }

    /// <summary>The next place of a file where the fix changes something.</summary>
    private static async Task<SolutionEdits?> NextAsync(CodeQuery query, string file, Fix fix, HashSet<int> tried)
    {
        var lines = new SortedSet<int>();
        foreach (var document in query.DocumentsOf(file))
        {
            var model = (await document.GetSemanticModelAsync(query.Cancellation))!;
            lines.UnionWith(model.GetDiagnostics(cancellationToken: query.Cancellation).Where(one => one.Id == fix.Code && one.Location.IsInSource)
                .Select(one => one.Location.GetLineSpan().StartLinePosition.Line + 1));
        }
        foreach (var line in lines.Where(line => !tried.Contains(line)))
        {
            var found = (await Fix.FindAsync(query, file, line, null, fix.Code)).FirstOrDefault(one => one.Title == fix.Title);
            if (found is not null && await EditsOfAsync(query, found) is { Files.Count: > 0 } edits)
                return edits;
            tried.Add(line);
        }
        return null;
    }
}
