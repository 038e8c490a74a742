namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Answers with changes of files.</summary>
internal static class Answers
{
    public static CodeAnswer Of(
        CodeQuery query, SolutionEdits edits, NewErrors errors, IReadOnlyList<string> conflicts, IEnumerable<string> notes) => new(
        Changes: query.Request.Apply ? edits.Files : [.. edits.Files.Select(edit => edit with { Text = null })],
        Conflicts: conflicts,
        Hash: Previews.Check(query.Request, edits.Files),
        Notes: [.. edits.Notes, .. notes],
        ErrorCount: errors.Left.Count);
}
