using System.Security.Cryptography;
using System.Text;

namespace Mortise.DotnetHost.Code;

/// <summary>A part of a list. A cursor belongs to the list as it was, and is refused for another one.</summary>
internal sealed record Page<T>(IReadOnlyList<T> Items, int Total, string? NextCursor)
{
    /// <exception cref="CodeException">The cursor belongs to another list.</exception>
    public static Page<T> Of(IReadOnlyList<T> all, CodeRequest request)
    {
        var hash = HashOf(all, request);
        var start = 0;
        if (request.Cursor is { } cursor)
        {
            if (cursor.Split('-') is not [var offset, var of] || of != hash || !int.TryParse(offset, out start) || start > all.Count)
                throw new CodeException("cursor", "The cursor belongs to a list that has changed, or to another call.", "Make the call again without cursor.");
        }
        var items = all.Skip(start).Take(request.Limit).ToList();
        var end = start + items.Count;
        return new(items, all.Count, end < all.Count ? $"{end}-{hash}" : null);
    }

    private static string HashOf(IReadOnlyList<T> all, CodeRequest request)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(Encoding.UTF8.GetBytes($"{request.Action} {request.Symbol} {request.File}"));
        foreach (var item in all)
            hash.AppendData(Encoding.UTF8.GetBytes(item!.ToString()!));
        return Convert.ToHexString(hash.GetHashAndReset(), 0, 6);
    }
}
