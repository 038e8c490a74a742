using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>
/// A change of a solution as changes of files. A file that several projects or frameworks compile is changed once: what each
/// of them changes is put together, so that no branch of an <c>#if</c> is lost.
/// </summary>
/// <param name="Changed">The solution with the changes.</param>
/// <param name="Notes">What was left out.</param>
/// <param name="Conflicts">Places where frameworks or projects need different texts.</param>
internal sealed record SolutionEdits(
    Solution Original, Solution Changed, IReadOnlyList<FileEdit> Files, IReadOnlyList<string> Notes, IReadOnlyList<string> Conflicts)
{
    /// <param name="moved">New paths of files that get another name.</param>
    /// <exception cref="CodeException">The change is not one of documents alone.</exception>
    public static async Task<SolutionEdits> CreateAsync(
        Solution original, IEnumerable<Solution> variants, CancellationToken cancellation, IReadOnlyDictionary<string, string>? moved = null)
    {
        var (changes, added) = (new SortedDictionary<string, HashSet<TextChange>>(StringComparer.Ordinal), new SortedDictionary<string, Document>(StringComparer.Ordinal));
        foreach (var path in moved?.Keys ?? [])
            changes[path] = [];
        foreach (var project in variants.SelectMany(variant => variant.GetChanges(original).GetProjectChanges()))
        {
            AssertDocumentsOnly(project);
            foreach (var document in project.GetAddedDocuments().Select(project.NewProject.GetDocument))
                added.TryAdd(PathOf(document!), document!);
            foreach (var id in project.GetChangedDocuments())
            {
                var (before, after) = (project.OldProject.GetDocument(id)!, project.NewProject.GetDocument(id)!);
                var ofFile = changes.TryGetValue(before.FilePath!, out var found) ? found : changes[before.FilePath!] = [];
                ofFile.UnionWith(await after.GetTextChangesAsync(before, cancellation));
            }
        }
        return await BuildAsync(original, changes, added, moved ?? new Dictionary<string, string>(), cancellation);
    }

    public static bool AreDocumentsOnly(Solution original, Solution changed) =>
        changed.GetChanges(original) is var changes && !changes.GetAddedProjects().Any() && !changes.GetRemovedProjects().Any()
        && changes.GetProjectChanges().All(AreDocumentsOnly);

    private static bool AreDocumentsOnly(ProjectChanges changes) =>
        !changes.GetRemovedDocuments().Any() && !changes.GetChangedAdditionalDocuments().Any() && !changes.GetChangedAnalyzerConfigDocuments().Any()
        && !changes.GetAddedProjectReferences().Any() && !changes.GetAddedMetadataReferences().Any()
        && !changes.GetRemovedProjectReferences().Any() && !changes.GetRemovedMetadataReferences().Any()
        && Equals(changes.OldProject.CompilationOptions, changes.NewProject.CompilationOptions)
        && Equals(changes.OldProject.ParseOptions, changes.NewProject.ParseOptions);

    private static void AssertDocumentsOnly(ProjectChanges changes)
    {
        if (!AreDocumentsOnly(changes))
            throw new CodeException("notApplicable", "The change is not one of C# files alone.", "Choose another fix.");
    }

    private static string PathOf(Document document) => document.FilePath
        ?? Path.GetFullPath(Path.Combine([Path.GetDirectoryName(document.Project.FilePath!)!, .. document.Folders, document.Name]));

    private static async Task<SolutionEdits> BuildAsync(
        Solution original,
        SortedDictionary<string, HashSet<TextChange>> changes,
        SortedDictionary<string, Document> added,
        IReadOnlyDictionary<string, string> moved,
        CancellationToken cancellation)
    {
        var (changed, files, notes, conflicts) = (original, new List<FileEdit>(), new List<string>(), new List<string>());
        foreach (var (path, found) in changes)
        {
            var ids = original.GetDocumentIdsWithFilePath(path);
            var before = await original.GetDocument(ids[0])!.GetTextAsync(cancellation);
            if (GeneratedFiles.GeneratorOf(path, before) is { } generator)
            {
                notes.Add($"{path} is not changed: {generator} generates it.");
                continue;
            }
            var (fitting, overlapping) = WithoutOverlaps(found);
            conflicts.AddRange(overlapping.Select(change => $"{path}({before.Lines.IndexOf(change.Span.Start) + 1}): projects or frameworks that compile this file need different texts."));
            var kept = LineLayout.Keep(before, fitting);
            var after = before.WithChanges(kept);
            if (kept.Count == 0 && !moved.ContainsKey(path))
                continue;
            foreach (var id in ids)
                changed = changed.WithDocumentText(id, after);
            var hash = Convert.ToHexString(before.GetChecksum().AsSpan()).ToLowerInvariant();
            files.Add(new(path, moved.GetValueOrDefault(path), hash, UnifiedDiff.Of(before, after, kept), after.ToString()));
        }
        foreach (var (path, document) in added)
        {
            var text = LineLayout.OfNewFile(await document.GetTextAsync(cancellation), files.Count > 0 ? files[0].Text! : "");
            changed = changed.AddDocument(DocumentId.CreateNewId(document.Project.Id), document.Name, text, document.Folders, path);
            var empty = SourceText.From("");
            files.Add(new(path, null, null, UnifiedDiff.Of(empty, text, [new(new(0, 0), text.ToString())]), text.ToString()));
        }
        return new(original, changed, files, notes, conflicts);
    }

    private static (List<TextChange> Fitting, List<TextChange> Overlapping) WithoutOverlaps(IEnumerable<TextChange> changes)
    {
        var (fitting, overlapping) = (new List<TextChange>(), new List<TextChange>());
        foreach (var change in changes.OrderBy(change => change.Span.Start).ThenBy(change => change.Span.End))
        {
            if (fitting.Count > 0 && (change.Span.Start < fitting[^1].Span.End || change.Span == fitting[^1].Span))
                overlapping.Add(change);
            else
                fitting.Add(change);
        }
        return (fitting, overlapping);
    }
}
