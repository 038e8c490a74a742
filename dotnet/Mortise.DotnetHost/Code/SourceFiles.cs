using System.Collections.Concurrent;
using System.Security.Cryptography;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code;

/// <summary>
/// Texts of files as they were read last. Files are compared by their contents before each query: times can be restored,
/// and two edits can have the same time.
/// </summary>
internal sealed class SourceFiles
{
    private readonly ConcurrentDictionary<string, (byte[] Hash, SourceText Text)> _files = new(StringComparer.Ordinal);

    /// <summary>An empty text for a file that cannot be read.</summary>
    public SourceText Get(string path)
    {
        if (_files.TryGetValue(path, out var file))
            return file.Text;
        Read(path);
        return _files[path].Text;
    }

    /// <summary>Reads files again, and returns those whose contents changed.</summary>
    public IReadOnlyList<string> Refresh(IEnumerable<string> paths, CancellationToken cancellation)
    {
        var changed = new ConcurrentBag<string>();
        Parallel.ForEach(paths, new ParallelOptions { CancellationToken = cancellation }, path =>
        {
            if (Read(path))
                changed.Add(path);
        });
        return [.. changed];
    }

    private bool Read(string path)
    {
        var bytes = ReadIfThere(path);
        var hash = SHA256.HashData(bytes);
        if (_files.TryGetValue(path, out var file) && hash.AsSpan().SequenceEqual(file.Hash))
            return false;
        using var stream = new MemoryStream(bytes);
        _files[path] = (hash, SourceText.From(stream, checksumAlgorithm: SourceHashAlgorithm.Sha256));
        return true;
    }

    public static byte[] ReadIfThere(string path)
    {
        try
        {
            // A pipe or device has no length, and reading it could wait forever or never end.
            return LengthOf(new(path)) == 0 ? [] : File.ReadAllBytes(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return [];
        }
    }

    private static long LengthOf(FileInfo file) =>
        file.Attributes.HasFlag(FileAttributes.ReparsePoint) && file.ResolveLinkTarget(returnFinalTarget: true) is FileInfo target
            ? target.Length
            : file.Length;
}
