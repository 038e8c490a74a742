using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>
/// A symbol as people write it: <c>Total</c>, <c>Cart.Total</c>, <c>Shop.Cart.Total(int)</c>, <c>Cart.Cart(int)</c> or
/// <c>Cart..ctor</c> for a constructor, <c>Cart.this[]</c> for an indexer, <c>string.Join</c> for <c>System.String.Join</c>.
/// </summary>
/// <param name="Parameters">Null if the name does not say.</param>
internal sealed partial record SymbolName(IReadOnlyList<string> Segments, IReadOnlyList<string>? Parameters)
{
    /// <summary>The types with a keyword, by it.</summary>
    private static readonly Dictionary<string, string> Keywords = new()
    {
        ["bool"] = "Boolean", ["byte"] = "Byte", ["sbyte"] = "SByte", ["char"] = "Char", ["decimal"] = "Decimal",
        ["double"] = "Double", ["float"] = "Single", ["int"] = "Int32", ["uint"] = "UInt32", ["nint"] = "IntPtr",
        ["nuint"] = "UIntPtr", ["long"] = "Int64", ["ulong"] = "UInt64", ["short"] = "Int16", ["ushort"] = "UInt16",
        ["object"] = "Object", ["string"] = "String",
    };

    private static readonly Dictionary<string, string> KeywordsByType = Keywords.ToDictionary(pair => pair.Value, pair => pair.Key);

    public string Last => Segments[^1];

    public static SymbolName Parse(string text)
    {
        var clean = text.Trim().Replace("global::", "").Replace("..ctor", ".#ctor");
        var open = clean.IndexOf('(');
        var parameters = open < 0 ? null : SplitOutside(clean[(open + 1)..].TrimEnd(')'), ',').ToList();
        var segments = SplitOutside(Indexer().Replace(open < 0 ? clean : clean[..open], "this[]"), '.').Select(WithoutTypeArguments).ToList();
        if (segments.Count > 1 && segments[^1] == segments[^2])
            segments[^1] = "#ctor";
        if (segments.Count > 0 && Keywords.TryGetValue(segments[0], out var type))
            segments = ["System", type, .. segments.Skip(1)];
        return new(segments.Count == 0 ? [clean] : segments, parameters);
    }

    /// <summary>Whether the symbol has this name, and its containers end with those of the name.</summary>
    public bool Fits(ISymbol symbol, StringComparison comparison)
    {
        var container = symbol;
        foreach (var segment in Segments.Reverse())
        {
            if (container is null or INamespaceSymbol { IsGlobalNamespace: true } || !NameOf(container).Equals(segment, comparison))
                return false;
            container = (ISymbol?)container.ContainingType ?? container.ContainingNamespace;
        }
        return Parameters is null || ParametersFit(symbol);
    }

    private bool ParametersFit(ISymbol symbol)
    {
        var parameters = symbol switch
        {
            IMethodSymbol method => method.Parameters,
            IPropertySymbol property => property.Parameters,
            _ => [],
        };
        return parameters.Length == Parameters!.Count && parameters.Zip(Parameters).All(pair => TypeFits(pair.First.Type, pair.Second));
    }

    /// <summary>A type may be written with less of its name, without <c>?</c>, and as <c>Int32</c> for <c>int</c>.</summary>
    private static bool TypeFits(ITypeSymbol type, string text)
    {
        var wanted = text.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [.., var last] && text.StartsWith("this ") ? last : text;
        SymbolDisplayFormat[] formats = [SymbolDisplayFormat.CSharpErrorMessageFormat, SymbolDisplayFormat.CSharpShortErrorMessageFormat, SymbolDisplayFormat.MinimallyQualifiedFormat];
        return formats.Any(format => Plain(type.ToDisplayString(format)) == WithKeywords(Plain(wanted))) || type.Name == wanted;
    }

    private static string Plain(string type) => type.Replace(" ", "").Replace("?", "");

    private static string WithKeywords(string type) => FrameworkName().Replace(
        type, match => KeywordsByType.GetValueOrDefault(match.Groups[1].Value, match.Value));

    private static string NameOf(ISymbol symbol) => symbol switch
    {
        IMethodSymbol { MethodKind: MethodKind.Constructor } => "#ctor",
        IPropertySymbol { IsIndexer: true } => "this[]",
        _ => symbol.Name,
    };

    private static string WithoutTypeArguments(string segment)
    {
        var open = segment.IndexOf('<');
        return open > 0 ? segment[..open] : segment;
    }

    /// <summary>Splits where no bracket is open.</summary>
    private static IEnumerable<string> SplitOutside(string text, char separator)
    {
        var (depth, start) = (0, 0);
        for (var index = 0; index <= text.Length; index++)
        {
            if (index < text.Length && "<[(".Contains(text[index]))
                depth++;
            else if (index < text.Length && ">])".Contains(text[index]))
                depth--;
            if (index < text.Length && (text[index] != separator || depth > 0))
                continue;
            if (text[start..index].Trim() is { Length: > 0 } part)
                yield return part;
            start = index + 1;
        }
    }

    /// <summary>A name without a namespace, or in that of the framework.</summary>
    [GeneratedRegex(@"(?<![\w.])(?:System\.)?(\w+)(?![\w.])")]
    private static partial Regex FrameworkName();

    [GeneratedRegex(@"\bthis\[[^\]]*\]")]
    private static partial Regex Indexer();
}
