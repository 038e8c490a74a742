using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Writes the hunks of a unified diff, with three lines of context.</summary>
internal static class UnifiedDiff
{
    private const int Context = 3;

    /// <summary>Lines of the old and the new text that differ; ends are exclusive.</summary>
    private readonly record struct Block(int Old, int OldEnd, int New, int NewEnd);

    /// <param name="changes">What makes the new text of the old one, in order.</param>
    public static string Of(SourceText before, SourceText after, IReadOnlyList<TextChange> changes)
    {
        var (old, now) = (LinesOf(before), LinesOf(after));
        var blocks = Blocks(before, after, changes).Select(block => Trim(block, old, now))
            .Where(block => block.Old < block.OldEnd || block.New < block.NewEnd).ToList();
        var text = new StringBuilder();
        for (var first = 0; first < blocks.Count;)
        {
            var last = first;
            while (last + 1 < blocks.Count && blocks[last + 1].Old - blocks[last].OldEnd <= 2 * Context)
                last++;
            AppendHunk(text, blocks[first..(last + 1)], old, now);
            first = last + 1;
        }
        return text.ToString();
    }

    private static string[] LinesOf(SourceText text) =>
        [.. text.Lines.Where(line => line.SpanIncludingLineBreak.Length > 0).Select(line => line.ToString())];

    /// <summary>The lines that each change touches; changes of one line, or of lines that follow each other, are one.</summary>
    private static List<Block> Blocks(SourceText before, SourceText after, IReadOnlyList<TextChange> changes)
    {
        var blocks = new List<Block>();
        var shift = 0;
        foreach (var change in changes)
        {
            var start = change.Span.Start + shift;
            shift += change.NewText!.Length - change.Span.Length;
            var block = new Block(
                before.Lines.IndexOf(change.Span.Start), before.Lines.IndexOf(change.Span.End) + 1,
                after.Lines.IndexOf(start), after.Lines.IndexOf(change.Span.End + shift) + 1);
            if (blocks.Count > 0 && blocks[^1] is var previous && block.Old < previous.OldEnd)
                blocks[^1] = previous with { OldEnd = block.OldEnd, NewEnd = block.NewEnd };
            else
                blocks.Add(block);
        }
        return blocks;
    }

    /// <summary>Without equal lines at both ends.</summary>
    private static Block Trim(Block block, string[] old, string[] now)
    {
        var (first, oldEnd, start, newEnd) = (block.Old, Math.Min(block.OldEnd, old.Length), block.New, Math.Min(block.NewEnd, now.Length));
        while (first < oldEnd && start < newEnd && old[first] == now[start])
            (first, start) = (first + 1, start + 1);
        while (first < oldEnd && start < newEnd && old[oldEnd - 1] == now[newEnd - 1])
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1);
        return new(first, oldEnd, start, newEnd);
    }

    private static void AppendHunk(StringBuilder text, List<Block> blocks, string[] old, string[] now)
    {
        var first = Math.Max(0, blocks[0].Old - Context);
        var oldEnd = Math.Min(old.Length, blocks[^1].OldEnd + Context);
        var start = blocks[0].New - (blocks[0].Old - first);
        var newEnd = blocks[^1].NewEnd + (oldEnd - blocks[^1].OldEnd);
        text.Append($"@@ -{Range(first, oldEnd)} +{Range(start, newEnd)} @@\n");
        var position = first;
        foreach (var block in blocks)
        {
            Append(' ', old[position..block.Old]);
            Append('-', old[block.Old..block.OldEnd]);
            Append('+', now[block.New..block.NewEnd]);
            position = block.OldEnd;
        }
        Append(' ', old[position..oldEnd]);

        void Append(char mark, string[] lines)
        {
            foreach (var line in lines)
                text.Append(mark).Append(line).Append('\n');
        }
    }

    /// <summary>A range without lines names the line before it.</summary>
    private static string Range(int start, int end) => end == start ? $"{start},0" : $"{start + 1},{end - start}";
}
