using System.Security.Cryptography;
using System.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>The edit of one file by a change. Paths are absolute.</summary>
/// <param name="NewPath">The new path of a renamed file; otherwise null.</param>
/// <param name="Hash">SHA-256 of the bytes that were read; null for a new file.</param>
/// <param name="Diff">The hunks of a unified diff.</param>
/// <param name="Text">The whole new text, without a byte-order mark; null in a preview.</param>
public sealed record FileEdit(string Path, string? NewPath, string? Hash, string Diff, string? Text)
{
    private const int HashLength = 16;

    /// <summary>Returns a hash of the edits and of the contents of the files that they change.</summary>
    public static string HashOf(IEnumerable<FileEdit> edits)
    {
        var lines = edits.Select(edit => $"{edit.Path}\n{edit.NewPath}\n{edit.Hash}\n{edit.Diff}");
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes(string.Join('\n', lines)));
        return Convert.ToHexString(hash)[..HashLength].ToLowerInvariant();
    }
}
