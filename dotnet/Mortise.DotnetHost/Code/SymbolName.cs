using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>
/// A symbol as people write it: <c>Total</c>, <c>Cart.Total</c>, <c>Shop.Cart.Total(int)</c>, <c>Cart.Cart(int)</c> or
/// <c>Cart..ctor</c> for a constructor, <c>Cart.this[]</c> for an indexer.
/// </summary>
/// <param name="Parameters">Null if the name does not say.</param>
internal sealed partial record SymbolName(IReadOnlyList<string> Segments, IReadOnlyList<string>? Parameters)
{
    public string Last => Segments[^1];

    public static SymbolName Parse(string text)
    {
        var clean = text.Trim().Replace("global::", "").Replace("..ctor", ".#ctor");
        var open = clean.IndexOf('(');
        var parameters = open < 0 ? null : SplitOutside(clean[(open + 1)..].TrimEnd(')'), ',').ToList();
        var segments = SplitOutside(Indexer().Replace(open < 0 ? clean : clean[..open], "this[]"), '.').Select(WithoutTypeArguments).ToList();
        if (segments.Count > 1 && segments[^1] == segments[^2])
            segments[^1] = "#ctor";
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

    /// <summary>A type may be written with less of its name, and without <c>?</c>.</summary>
    private static bool TypeFits(ITypeSymbol type, string text)
    {
        var wanted = text.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [.., var last] && text.StartsWith("this ") ? last : text;
        SymbolDisplayFormat[] formats = [SymbolDisplayFormat.CSharpErrorMessageFormat, SymbolDisplayFormat.CSharpShortErrorMessageFormat, SymbolDisplayFormat.MinimallyQualifiedFormat];
        return formats.Any(format => Plain(type.ToDisplayString(format)) == Plain(wanted)) || type.Name == wanted;
    }

    private static string Plain(string type) => type.Replace(" ", "").Replace("?", "");

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

    [GeneratedRegex(@"\bthis\[[^\]]*\]")]
    private static partial Regex Indexer();
}
