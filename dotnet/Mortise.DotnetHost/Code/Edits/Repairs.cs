using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>The fixes that are meant for an error: they have one of the titles for its code, remove an error, and add none.</summary>
internal static class Repairs
{
    /// <summary>More errors than this are left for another call.</summary>
    private const int MaxErrors = 200;

    /// <summary>The fixes that are meant for the error of a line. Nothing is shown of their changes.</summary>
    public static async Task<CodeAnswer> RepairAsync(CodeQuery query)
    {
        var request = query.Request;
        var found = await Fix.FindAsync(query, request.File!, request.Line!.Value, request.Column, request.Code);
        var meant = await MeantAsync(query, found);
        return new(Fixes: [.. meant.Select(one => new FixInfo(one.Fix.Id, one.Fix.Title, one.Fix.Code, FileEdit.HashOf(one.Edits.Files), []))]);
    }

    /// <summary>The fixes with the first of the titles with which any of them repairs.</summary>
    public static async Task<IReadOnlyList<(Fix Fix, SolutionEdits Edits)>> MeantAsync(CodeQuery query, IReadOnlyList<Fix> found)
    {
        foreach (var code in found.Select(fix => fix.Code).OfType<string>().Distinct())
        {
            foreach (var title in query.Request.Repairs?.GetValueOrDefault(code) ?? [])
            {
                var repairing = new List<(Fix, SolutionEdits)>();
                foreach (var fix in found.Where(fix => fix.Code == code && Regex.IsMatch(fix.Title, title)))
                {
                    if (await FixActions.EditsOfAsync(query, fix) is not { Files.Count: > 0, Conflicts.Count: 0 } edits)
                        continue;
                    var errors = await NewErrors.CompareAsync(query, edits);
                    if (errors.Added.Count == 0 && errors.RemovedCount > 0)
                        repairing.Add((fix, edits));
                }
                if (repairing.Count > 0)
                    return repairing;
            }
        }
        return [];
    }

    /// <summary>Repairs one error after the other for which exactly one fix is meant, until none is left.</summary>
    public static async Task<CodeAnswer> RepairAllAsync(CodeQuery query)
    {
        var (current, repaired, tried) = (query, new List<Repaired>(), new HashSet<(string, string, string?)>());
        while (repaired.Count < MaxErrors && await NextAsync(current, tried) is var (done, changed))
        {
            repaired.Add(done);
            current = current with { Snapshot = current.Snapshot with { Solution = changed } };
        }
        var edits = await SolutionEdits.CreateAsync(query.Solution, [current.Solution], query.Cancellation);
        var errors = await NewErrors.CompareAsync(query, edits);
        var left = (await ErrorsAsync(current)).ToList();
        IReadOnlyList<string> notes = repaired.Count < MaxErrors ? [] : [$"{MaxErrors} errors are repaired. Call again for more."];
        return Answers.Of(query, edits, errors, [.. edits.Conflicts, .. errors.Added.Select(error => error.Describe())], notes) with
        {
            Diagnostics = [.. left.Take(FixActions.MaxDiagnostics)],
            ErrorCount = left.Count,
            Repaired = repaired,
        };
    }

    /// <param name="tried">Errors without such a fix. Equal ones of a file are tried once, because lines move.</param>
    private static async Task<(Repaired, Solution)?> NextAsync(CodeQuery query, HashSet<(string, string, string?)> tried)
    {
        foreach (var error in await ErrorsAsync(query))
        {
            var key = (error.Code, error.Message, error.File);
            if (!IsRepairable(query, error) || tried.Contains(key))
                continue;
            var found = await Fix.FindAsync(query, error.File!, error.Line!.Value, error.Column, error.Code);
            if (await MeantAsync(query, found) is [var (fix, edits)])
                return (new(error.File!, error.Line.Value, error.Code, fix.Title), edits.Changed);
            tried.Add(key);
        }
        return null;
    }

    private static async Task<IEnumerable<CodeDiagnostic>> ErrorsAsync(CodeQuery query)
    {
        var errors = await NewErrors.ErrorsAsync(query, query.Solution, [.. query.Projects.Select(project => project.Id)]);
        return errors.Where(error => query.Request.File is not { } file || error.File == file);
    }

    private static bool IsRepairable(CodeQuery query, CodeDiagnostic error) =>
        error is { NeedsGenerator: null, File: { } file, Line: not null }
        && (query.Request.Code ?? error.Code) == error.Code
        && query.Request.Repairs?.ContainsKey(error.Code) == true
        && !Locations.IsGenerated(file)
        && query.Solution.GetDocumentIdsWithFilePath(file).Any(id => query.Solution.GetDocument(id) is not null);
}
