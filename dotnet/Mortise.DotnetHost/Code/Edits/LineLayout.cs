using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Keeps the line ends of a file, and its last one or none.</summary>
internal static partial class LineLayout
{
    /// <summary>The changes with the line end that the file has most often.</summary>
    public static List<TextChange> Keep(SourceText before, IReadOnlyList<TextChange> changes)
    {
        var lineEnd = MostFrequent(before.ToString());
        var kept = changes.Select(change => new TextChange(change.Span, LineEnd().Replace(change.NewText!, lineEnd)))
            .Where(change => change.NewText != before.ToString(change.Span)).ToList();
        if (kept.Count == 0 || kept[^1].Span.End < before.Length)
            return kept;
        // The last change reaches the end of the file.
        var (text, hasLineEnd) = (kept[^1].NewText!, before.Length > 0 && before[^1] is '\n' or '\r');
        kept[^1] = new(kept[^1].Span, hasLineEnd && !text.EndsWith(lineEnd) ? text + lineEnd : hasLineEnd ? text : text.TrimEnd('\r', '\n'));
        return kept;
    }

    /// <summary>A new file has the line ends of a model, and ends with one.</summary>
    public static SourceText OfNewFile(SourceText text, string model)
    {
        var lineEnd = MostFrequent(model);
        return SourceText.From(LineEnd().Replace(text.ToString(), lineEnd).TrimEnd('\r', '\n') + lineEnd);
    }

    private static string MostFrequent(string text)
    {
        var ends = LineEnd().Matches(text).GroupBy(match => match.Value).OrderByDescending(group => group.Count());
        return ends.FirstOrDefault()?.Key ?? "\n";
    }

    [GeneratedRegex("\r\n|\r|\n")]
    private static partial Regex LineEnd();
}
