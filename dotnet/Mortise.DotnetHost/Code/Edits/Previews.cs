using System.Collections.Concurrent;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>The files of the last previews, to say which of them have changed since.</summary>
internal static class Previews
{
    private const int MaxCount = 100;

    private static readonly ConcurrentDictionary<string, IReadOnlyList<FileEdit>> ByHash = new();
    private static readonly ConcurrentQueue<string> Hashes = new();

    /// <summary>Remembers the preview, and returns its hash.</summary>
    /// <exception cref="CodeException">The request applies a preview that made other changes.</exception>
    public static string Check(CodeRequest request, IReadOnlyList<FileEdit> edits)
    {
        var hash = FileEdit.HashOf(edits);
        if (request.Hash is { } expected && expected != hash)
            throw new CodeException("changed", $"{Differing(expected, edits)}, so nothing was written.", "Look at a new preview, then apply that with its hash.");
        if (ByHash.TryAdd(hash, [.. edits.Select(edit => edit with { Text = null })]))
            Hashes.Enqueue(hash);
        if (Hashes.Count > MaxCount && Hashes.TryDequeue(out var oldest))
            ByHash.TryRemove(oldest, out _);
        return hash;
    }

    private static string Differing(string expected, IReadOnlyList<FileEdit> edits)
    {
        if (!ByHash.TryGetValue(expected, out var seen))
            return $"The preview with the hash {expected} is not known, or files have changed since";
        var now = edits.ToDictionary(edit => edit.Path, edit => edit.Hash);
        var paths = seen.Where(edit => !now.TryGetValue(edit.Path, out var hash) || hash != edit.Hash).Select(edit => edit.Path)
            .Concat(now.Keys.Except(seen.Select(edit => edit.Path))).ToList();
        return paths.Count == 0 ? "The code has changed since the preview" : $"{string.Join(", ", paths)} changed since the preview";
    }
}
