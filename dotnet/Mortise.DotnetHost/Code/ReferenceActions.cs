using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FindSymbols;

namespace Mortise.DotnetHost.Code;

/// <summary>References and Callers.</summary>
internal static class ReferenceActions
{
    private const int MaxDepth = 3;

    public static async Task<CodeAnswer> ReferencesAsync(CodeQuery query)
    {
        var symbols = await SymbolLookup.FindAsync(query);
        var places = new PlaceList(query);
        foreach (var symbol in symbols)
        {
            foreach (var found in await SymbolFinder.FindReferencesAsync(symbol, query.Solution, query.Cancellation))
            {
                foreach (var location in found.Locations.Where(location => !location.IsImplicit))
                    await places.AddAsync(location.Document, location.Location);
            }
            foreach (var overriding in await SymbolFinder.FindOverridesAsync(symbol, query.Solution, cancellationToken: query.Cancellation))
                await AddDeclarationAsync(query, places, overriding, "override");
        }
        return AnswerOf(query, symbols[0], places);
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
                            await places.AddAsync(document, location, "call", Symbols.NameOf(caller.CallingSymbol), depth);
                    }
                    next.Add(caller.CallingSymbol);
                }
            }
            level = next.GroupBy(Symbols.KeyOf).Where(group => seen.Add(group.Key)).SelectMany(group => group).ToList();
        }
        return AnswerOf(query, symbols[0], places);
    }

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
