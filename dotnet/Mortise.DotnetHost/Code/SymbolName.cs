using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>
/// A symbol as people and answers write it: <c>Total</c>, <c>Cart.Total</c>, <c>Shop.Cart.Total(ref int)</c>,
/// <c>Cart.Cart(int)</c> or <c>Cart..ctor</c> for a constructor, <c>Cart..cctor</c>, <c>Cart.~Cart</c>, <c>Cart.this[int]</c>,
/// <c>Money.operator +</c>, <c>Money.implicit operator int</c>, <c>Cart.ICart.Total</c> for an explicit implementation, and
/// <c>string.Join</c> for <c>System.String.Join</c>.
/// </summary>
/// <param name="Text">Without spaces.</param>
/// <param name="Parameters">Null if the name does not say.</param>
/// <param name="ConvertedTo">The type of a conversion; null if the name does not say.</param>
internal sealed partial record SymbolName(
    string Text, IReadOnlyList<string> Segments, IReadOnlyList<string>? Parameters, string? ConvertedTo = null)
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

    /// <summary>The name of a block of extension members. It is left out of the names of the members.</summary>
    private const string ExtensionBlock = "extension";

    public string Last => Segments[^1];

    /// <summary>Splits names at the commas outside of brackets.</summary>
    public static IReadOnlyList<string> Split(string names) => [.. SplitOutside(names, ',')];

    public static SymbolName Parse(string text)
    {
        var clean = text.Trim().Replace("global::", "");
        var @operator = Operator().Match(clean);
        var (name, inBrackets) = SplitLastBrackets(clean[(@operator.Index + @operator.Length)..]);
        // A conversion to a tuple, without its parameter.
        if (@operator.Groups["conversion"].Success && name.Trim() == "" && inBrackets is not null)
            (name, inBrackets) = ($"({inBrackets})", null);
        var parameters = inBrackets is null ? null : SplitOutside(inBrackets, ',').ToList();
        if (@operator.Success)
            return new(WithoutSpaces(clean), [.. SegmentsOf(clean[..@operator.Index]), WithoutSpaces(@operator.Value)], parameters, name.Trim() is { Length: > 0 } type ? type : null);
        return name.TrimEnd().EndsWith("this") && clean.EndsWith(']')
            ? new(WithoutSpaces(clean), [.. SegmentsOf(name).SkipLast(1), "this[]"], parameters is { Count: > 0 } ? parameters : null)
            : new(WithoutSpaces(clean), SegmentsOf(name) is { Count: > 0 } segments ? segments : [clean], parameters);
    }

    private static List<string> SegmentsOf(string text)
    {
        var segments = SplitOutside(ConstructorName().Replace(text, ".#$1"), '.')
            .Where(segment => !segment.StartsWith($"{ExtensionBlock}(") && !segment.StartsWith($"{ExtensionBlock}<"))
            .Select(segment => WithoutTypeArguments(segment) switch
            {
                ['~', ..] => WellKnownMemberNames.DestructorName,
                ['#', .. var constructor] => $".{constructor}",
                var name => name,
            })
            .ToList();
        if (segments.Count > 0 && Keywords.TryGetValue(segments[0], out var type))
            segments = ["System", type, .. segments.Skip(1)];
        return segments.ConvertAll(segment => segment.TrimStart('@'));
    }

    /// <summary>Splits <c>Total(int)</c> and <c>this[int]</c> in two; the second part is null if there is none, as in <c>int[]</c>.</summary>
    private static (string Name, string? InBrackets) SplitLastBrackets(string text)
    {
        var depth = 0;
        for (var index = text.Length - 1; index >= 0 && text[^1] is ')' or ']'; index--)
        {
            depth += text[index] is ')' or ']' ? 1 : text[index] is '(' or '[' ? -1 : 0;
            if (depth == 0)
                return text[^1] == ')' || text[..index].TrimEnd().EndsWith("this") ? (text[..index], text[(index + 1)..^1]) : (text, null);
        }
        return (text, null);
    }

    /// <summary>Whether the symbol has this name, and its containers end with those of the name.</summary>
    public bool Fits(ISymbol symbol, StringComparison comparison)
    {
        if (!NamesOf(symbol).Any(name => name.Equals(Last, comparison)))
            return false;
        List<string> containers = [.. ContainersOf(symbol).Reverse()];
        List<string> ofInterface = InterfaceOf(symbol) is { } type ? [.. ContainersOf(type).Reverse(), type.Name] : [];
        // The interface may be written with less of its name, but not left out.
        return Enumerable.Range(Math.Min(1, ofInterface.Count), Math.Max(1, ofInterface.Count))
                .Any(count => EndsWithSegments([.. containers, .. ofInterface.TakeLast(count)], comparison))
            && (Parameters is null || ParametersFit(symbol))
            && (ConvertedTo is null || symbol is IMethodSymbol { ReturnType: var result } && TypeFits(result, ConvertedTo));
    }

    /// <summary>The symbols that are printed with exactly this name, if there are any.</summary>
    public List<ISymbol> Narrow(List<ISymbol> symbols)
    {
        var named = symbols.ConvertAll(symbol => (Symbol: symbol, Name: WithoutSpaces(Symbols.NameOf(symbol))));
        var same = named.FindAll(one => one.Name == Text);
        if (same.Count == 0 && Text.IndexOfAny(['(', '[', '<']) >= 0)
            same = named.FindAll(one => one.Name.EndsWith($".{Text}", StringComparison.Ordinal));
        return same.Count > 0 ? same.ConvertAll(one => one.Symbol) : symbols;
    }

    private bool EndsWithSegments(List<string> containers, StringComparison comparison) =>
        Segments.Count - 1 <= containers.Count
        && containers.TakeLast(Segments.Count - 1).Zip(Segments).All(pair => pair.First.Equals(pair.Second, comparison));

    /// <summary>The names of the types and namespaces around a symbol, from the nearest on.</summary>
    private static IEnumerable<string> ContainersOf(ISymbol symbol)
    {
        for (var one = Container(symbol); one is not null and not INamespaceSymbol { IsGlobalNamespace: true }; one = Container(one))
        {
            if (one.Name != "")
                yield return one.Name;
        }

        static ISymbol? Container(ISymbol symbol) => (ISymbol?)symbol.ContainingType ?? symbol.ContainingNamespace;
    }

    /// <summary>
    /// The interface of an explicit implementation. Compiled static members have one too if they implement a static
    /// abstract member, but then it is no part of their names.
    /// </summary>
    private static INamedTypeSymbol? InterfaceOf(ISymbol symbol) => symbol switch
    {
        { Name: var name } when name.LastIndexOf('.') <= 0 => null,
        IMethodSymbol method => method.ExplicitInterfaceImplementations.FirstOrDefault(),
        IPropertySymbol property => property.ExplicitInterfaceImplementations.FirstOrDefault(),
        IEventSymbol @event => @event.ExplicitInterfaceImplementations.FirstOrDefault(),
        _ => (ISymbol?)null,
    } is { ContainingType: var type } ? type : null;

    /// <summary>The last segments that can mean a symbol.</summary>
    private IEnumerable<string> NamesOf(ISymbol symbol)
    {
        var name = InterfaceOf(symbol) is null ? symbol.Name : symbol.Name[(symbol.Name.LastIndexOf('.') + 1)..];
        return symbol switch
        {
            IMethodSymbol { MethodKind: MethodKind.Constructor } when Segments.Count > 1 => [name, symbol.ContainingType.Name],
            IMethodSymbol when name.StartsWith("op_") => [name, WithoutSpaces(Operator().Match(Symbols.NameOf(symbol)).Value)],
            IPropertySymbol { IsIndexer: true } => ["this[]"],
            INamedTypeSymbol { Name: "" } => [ExtensionBlock],
            _ => [name],
        };
    }

    private bool ParametersFit(ISymbol symbol)
    {
        if (symbol is INamedTypeSymbol { Name: "" })
            return true;
        var parameters = symbol switch
        {
            IMethodSymbol method => method.Parameters,
            IPropertySymbol property => property.Parameters,
            _ => [],
        };
        return parameters.Length == Parameters!.Count && parameters.Zip(Parameters).All(pair => TypeFits(pair.First.Type, pair.Second));
    }

    /// <summary>A type may be written with less of its name, without <c>?</c> and <c>ref</c>, and as <c>Int32</c> for <c>int</c>.</summary>
    private static bool TypeFits(ITypeSymbol type, string text)
    {
        var wanted = ParameterModifiers().Replace(text, "");
        string[] names =
        [
            Symbols.NameOf(type),
            .. new[] { SymbolDisplayFormat.CSharpErrorMessageFormat, SymbolDisplayFormat.CSharpShortErrorMessageFormat, SymbolDisplayFormat.MinimallyQualifiedFormat }.Select(type.ToDisplayString),
        ];
        return names.Any(name => Plain(name) == WithKeywords(Plain(wanted))) || type.Name == wanted;
    }

    private static string Plain(string type) => type.Replace(" ", "").Replace("?", "").Replace("@", "");

    private static string WithoutSpaces(string text) => text.Replace(" ", "");

    private static string WithKeywords(string type) => FrameworkName().Replace(
        type, match => KeywordsByType.GetValueOrDefault(match.Groups[1].Value, match.Value));

    private static string WithoutTypeArguments(string segment)
    {
        var open = segment.IndexOf('<');
        return open > 0 ? segment[..open] : segment;
    }

    /// <summary>Splits where no bracket is open. The characters of operators are no brackets.</summary>
    private static IEnumerable<string> SplitOutside(string text, char separator)
    {
        var operators = Operator().Matches(text).ToDictionary(match => match.Index, match => match.Length);
        var (depth, start) = (0, 0);
        for (var index = 0; index <= text.Length; index++)
        {
            index += operators.GetValueOrDefault(index);
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

    [GeneratedRegex(@"(?<![\w@])(?:(?<conversion>(?:implicit|explicit)\s+operator\b(?:\s+checked\b)?)|operator(?:\s+checked)?(?:\s+(?:true|false)\b|\s*[^\w\s(),.]+))")]
    private static partial Regex Operator();

    [GeneratedRegex(@"\.\.(c?ctor)\b")]
    private static partial Regex ConstructorName();

    [GeneratedRegex(@"^(?:(?:this|params|scoped|ref|readonly|out|in)\s+)+")]
    private static partial Regex ParameterModifiers();
}
