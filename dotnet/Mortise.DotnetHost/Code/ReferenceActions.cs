using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FindSymbols;

namespace Mortise.DotnetHost.Code;

internal static class ReferenceActions
{
    private const int MaxDepth = 3;

    /// <summary>
    /// Finds the places that use, override or implement a symbol. For a pattern, lists the matching symbols, each with
    /// its number of references.
    /// </summary>
    public static async Task<CodeAnswer> ReferencesAsync(CodeQuery query)
    {
        if (query.Request is { Symbol: { } pattern, Line: null } && SymbolActions.IsPattern(pattern))
            return await CountsAsync(query, pattern);
        var symbols = await SymbolLookup.FindAsync(query);
        var places = new PlaceList(query);
        foreach (var symbol in symbols)
        {
            foreach (var (definition, use) in await UsesAsync(query, symbol))
                await places.AddAsync(use.Document, use.Location, usedMember: OtherMember(definition, symbol));
            foreach (var overriding in await SymbolFinder.FindOverridesAsync(symbol, query.Solution, cancellationToken: query.Cancellation))
                await AddDeclarationAsync(query, places, overriding, "override");
            if (symbol is INamedTypeSymbol)
                continue;
            foreach (var implementing in await SymbolFinder.FindImplementationsAsync(symbol, query.Solution, cancellationToken: query.Cancellation))
                await AddDeclarationAsync(query, places, implementing, "implementation");
        }
        return AnswerOf(query, symbols[0], places);
    }

    private static async Task<IEnumerable<(ISymbol Definition, ReferenceLocation Use)>> UsesAsync(CodeQuery query, ISymbol symbol)
    {
        var found = await SymbolFinder.FindReferencesAsync(symbol, query.Solution, query.Cancellation);
        return found.Where(one => !IsOfSibling(one.Definition, symbol)).SelectMany(one => one.Locations
            .Where(use => !use.IsImplicit || IsCreation(use.Location))
            .Select(use => (one.Definition, use)));
    }

    private static async Task<CodeAnswer> CountsAsync(CodeQuery query, string pattern)
    {
        var groups = (await SymbolActions.FindByPatternAsync(query, pattern)).GroupBy(Symbols.KeyOf)
            .ToLookup(group => Symbols.Describe(group.First(), query).First());
        var page = Page<SymbolInfo>.Of(SymbolActions.InOrder(groups.Select(group => group.Key)), query.Request);
        var counted = new List<SymbolInfo>();
        foreach (var info in page.Items)
            counted.Add(info with { ReferenceCount = await CountAsync(query, groups[info].SelectMany(group => group)) });
        return new(Symbols: counted, Total: page.Total, NextCursor: page.NextCursor);
    }

    private static async Task<int> CountAsync(CodeQuery query, IEnumerable<ISymbol> symbols)
    {
        var places = new HashSet<(string?, int)>();
        foreach (var symbol in symbols)
            places.UnionWith((await UsesAsync(query, symbol)).Select(one => (one.Use.Document.FilePath, one.Use.Location.SourceSpan.Start)));
        return places.Count;
    }

    /// <summary>Calls of the symbol, then calls of its callers, to the requested depth.</summary>
    public static async Task<CodeAnswer> CallersAsync(CodeQuery query)
    {
        var symbols = await SymbolLookup.FindAsync(query);
        var places = new PlaceList(query);
        var seen = symbols.Select(Symbols.KeyOf).ToHashSet();
        var level = symbols;
        for (var depth = 1; depth <= Math.Clamp(query.Request.Depth, 1, MaxDepth) && level.Count > 0; depth++)
        {
            var next = new List<ISymbol>();
            foreach (var symbol in level)
            {
                foreach (var caller in await SymbolFinder.FindCallersAsync(symbol, query.Solution, query.Cancellation))
                {
                    foreach (var location in caller.Locations.Where(location => location.IsInSource))
                    {
                        if (query.Solution.GetDocument(location.SourceTree) is { } document)
                            await places.AddAsync(document, location, member: Symbols.NameOf(Symbols.MemberOf(caller.CallingSymbol)), usedMember: OtherMember(caller.CalledSymbol, symbol), depth: depth);
                    }
                    next.Add(caller.CallingSymbol);
                }
            }
            level = next.GroupBy(Symbols.KeyOf).Where(group => seen.Add(group.Key)).SelectMany(group => group).ToList();
        }
        return AnswerOf(query, symbols[0], places);
    }

    /// <summary>
    /// True for <c>new()</c>. SymbolFinder marks it as implicit, but unlike other implicit uses, such as the enumerator
    /// of a loop, it is written in the source.
    /// </summary>
    private static bool IsCreation(Location location) =>
        location.SourceTree!.GetRoot().FindToken(location.SourceSpan.Start).Parent is ImplicitObjectCreationExpressionSyntax;

    /// <summary>The name of the member that is used, if it belongs to another type than the symbol.</summary>
    private static string? OtherMember(ISymbol used, ISymbol symbol)
    {
        var member = (used as IMethodSymbol)?.AssociatedSymbol ?? used;
        return AreMembers(used, symbol) && !AreSame(used.ContainingType, symbol.ContainingType) ? Symbols.NameOf(member.OriginalDefinition) : null;
    }

    /// <summary>
    /// True if the types of the two members do not inherit from each other. Both then implement or override a third
    /// member, and a use of one is not a use of the other.
    /// </summary>
    private static bool IsOfSibling(ISymbol used, ISymbol symbol) =>
        AreMembers(used, symbol)
        && used.ContainingType is { TypeKind: not TypeKind.Interface } type
        && symbol.ContainingType is { TypeKind: not TypeKind.Interface } own
        && !BasesOf(type).Any(one => AreSame(one, own)) && !BasesOf(own).Any(one => AreSame(one, type));

    private static bool AreMembers(ISymbol one, ISymbol other) =>
        one is not INamedTypeSymbol && other is not INamedTypeSymbol && one.ContainingType is not null && other.ContainingType is not null;

    private static IEnumerable<INamedTypeSymbol> BasesOf(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? one = type; one is not null; one = one.BaseType)
            yield return one;
    }

    /// <summary>Compares by name, because each framework has its own symbols.</summary>
    private static bool AreSame(INamedTypeSymbol one, INamedTypeSymbol other) =>
        Symbols.NameOf(one.OriginalDefinition) == Symbols.NameOf(other.OriginalDefinition);

    private static async Task AddDeclarationAsync(CodeQuery query, PlaceList places, ISymbol symbol, string kind)
    {
        foreach (var location in symbol.Locations.Where(location => location.IsInSource))
        {
            if (query.Solution.GetDocument(location.SourceTree) is { } document)
                await places.AddAsync(document, location, kind);
        }
    }

    private static CodeAnswer AnswerOf(CodeQuery query, ISymbol symbol, PlaceList places)
    {
        var (page, counts) = places.Page();
        return new(
            Symbols.Describe(symbol, query).First(), Places: page.Items, Counts: counts, Total: page.Total, NextCursor: page.NextCursor);
    }
}
