using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.FindSymbols;

namespace Mortise.DotnetHost.Code;

/// <summary>Finds the one symbol that a request means, by name or by place.</summary>
internal static class SymbolLookup
{
    private const int MaxCandidates = 20;

    /// <summary>The symbol as each framework and project has it; at least one.</summary>
    /// <exception cref="CodeException">There is none, or there are several.</exception>
    public static async Task<IReadOnlyList<ISymbol>> FindAsync(CodeQuery query)
    {
        if (query.Overload is { } overload)
            return overload;
        var found = query.Request.File is { } file && query.Request.Line is { } line
            ? await AtPlaceAsync(query, file, line)
            : await ByNameAsync(query);
        var groups = found.GroupBy(Symbols.KeyOf).ToList();
        if (groups.Count == 1)
            return [.. groups[0]];
        var symbols = groups.ConvertAll(group => group.First());
        var candidates = symbols.Take(MaxCandidates).SelectMany(symbol => Symbols.Describe(symbol, query).Take(1)).ToList();
        throw new CodeException("ambiguous", $"{Asked(query)} can mean {groups.Count} symbols.", "Name one of the candidates.", candidates)
        {
            Overloads = query.Request.Line is null && AreOverloads(symbols) ? groups.ConvertAll(group => group.ToList()) : null,
        };
    }

    /// <summary>True for members of one type with the same name.</summary>
    private static bool AreOverloads(List<ISymbol> symbols) =>
        symbols.TrueForAll(symbol => symbol is IMethodSymbol or IPropertySymbol)
        && symbols.DistinctBy(symbol => (symbol.Name, symbol.ContainingAssembly.Name, Symbols.NameOf(symbol.ContainingType))).Count() == 1;

    private static string Asked(CodeQuery query) => query.Request is { Symbol: { } symbol, Line: null }
        ? symbol
        : $"{query.Request.File}({query.Request.Line})";

    private static async Task<List<ISymbol>> ByNameAsync(CodeQuery query)
    {
        var name = SymbolName.Parse(query.Request.Symbol ?? throw new CodeException("noSymbol", "The call names no symbol.", "Pass symbol, or file and line."));
        foreach (var comparison in new[] { StringComparison.Ordinal, StringComparison.OrdinalIgnoreCase })
        {
            if (await DeclaredAsync(query, name, comparison) is { Count: > 0 } found)
                return name.Narrow(found);
            if (await InTypesAsync(query, name, comparison) is { Count: > 0 } members)
                return name.Narrow(members);
        }
        if (await InPackagesAsync(query, name) is { Count: > 0 } ofPackages)
            return name.Narrow(ofPackages);
        var nearest = await NearestAsync(query, name);
        throw new CodeException("unknown", $"There is no symbol {query.Request.Symbol} in {Path.GetFileName(query.Request.Name)}.", "Use one of the nearest names, or the action Symbols.", nearest);
    }

    /// <summary>What the sources declare with the last part of the name.</summary>
    private static async Task<List<ISymbol>> DeclaredAsync(CodeQuery query, SymbolName name, StringComparison comparison) =>
        [.. (await NamedAsync(query, name.Last, comparison)).Where(symbol => name.Fits(symbol, comparison))];

    /// <summary>
    /// Members of the types before the last part of the name, because constructors, indexers, operators and explicit implementations are not
    /// declared with the last part of their names.
    /// </summary>
    private static async Task<List<ISymbol>> InTypesAsync(CodeQuery query, SymbolName name, StringComparison comparison)
    {
        var found = new List<ISymbol>();
        foreach (var segment in name.Segments.SkipLast(1).Distinct())
        {
            var types = (await NamedAsync(query, segment, comparison)).OfType<INamedTypeSymbol>();
            found.AddRange(types.SelectMany(type => type.GetMembers()).Where(symbol => name.Fits(symbol, comparison)));
        }
        return found;
    }

    private static async Task<List<ISymbol>> NamedAsync(CodeQuery query, string name, StringComparison comparison)
    {
        var found = new List<ISymbol>();
        foreach (var project in query.Projects)
            found.AddRange(await SymbolFinder.FindSourceDeclarationsAsync(project, name, comparison == StringComparison.OrdinalIgnoreCase, SymbolFilter.TypeAndMember, query.Cancellation));
        return found;
    }

    /// <summary>Public symbols of packages and frameworks, and the class of top-level statements.</summary>
    private static async Task<List<ISymbol>> InPackagesAsync(CodeQuery query, SymbolName name)
    {
        foreach (var project in query.Projects)
        {
            var compilation = (await project.GetCompilationAsync(query.Cancellation))!;
            var types = name.Segments.Count > 1 ? TypesNamed(compilation, name.Segments.SkipLast(1)) : [];
            var found = TypesNamed(compilation, name.Segments).Concat<ISymbol>(types.SelectMany(one => one.GetMembers()))
                .Where(symbol => name.Fits(symbol, StringComparison.Ordinal) && (symbol.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected || symbol.Locations.Any(location => location.IsInSource)))
                .ToList();
            if (found.Count == 0)
            {
                var declared = await SymbolFinder.FindDeclarationsAsync(project, name.Last, ignoreCase: false, SymbolFilter.TypeAndMember, query.Cancellation);
                found = declared.Where(symbol => name.Fits(symbol, StringComparison.Ordinal)).ToList();
            }
            if (found.Count > 0)
                return found;
        }
        return [];
    }

    /// <summary>Types with a full name, of any number of type parameters.</summary>
    private static IEnumerable<INamedTypeSymbol> TypesNamed(Compilation compilation, IEnumerable<string> segments)
    {
        INamespaceOrTypeSymbol[] containers = [compilation.GlobalNamespace];
        foreach (var segment in segments)
            containers = [.. containers.SelectMany(one => one.GetMembers(segment)).OfType<INamespaceOrTypeSymbol>()];
        return containers.OfType<INamedTypeSymbol>();
    }

    /// <summary>Names of sources that differ least from the last part of the name.</summary>
    private static async Task<List<SymbolInfo>> NearestAsync(CodeQuery query, SymbolName name)
    {
        var all = new List<ISymbol>();
        foreach (var project in query.Projects)
            all.AddRange(await SymbolFinder.FindSourceDeclarationsAsync(project, one => Distance(one, name.Last) <= Math.Max(2, name.Last.Length / 3), SymbolFilter.TypeAndMember, query.Cancellation));
        return all.DistinctBy(Symbols.KeyOf).OrderBy(symbol => Distance(symbol.Name, name.Last)).ThenBy(symbol => symbol.Name, StringComparer.Ordinal)
            .Take(5).SelectMany(symbol => Symbols.Describe(symbol, query).Take(1)).ToList();
    }

    private static int Distance(string one, string other)
    {
        var row = Enumerable.Range(0, other.Length + 1).ToArray();
        for (var i = 1; i <= one.Length; i++)
        {
            var (diagonal, left) = (row[0], row[0] = i);
            for (var j = 1; j <= other.Length; j++)
            {
                var cost = char.ToLowerInvariant(one[i - 1]) == char.ToLowerInvariant(other[j - 1]) ? 0 : 1;
                (diagonal, left) = (row[j], row[j] = Math.Min(Math.Min(row[j], left) + 1, diagonal + cost));
            }
        }
        return row[^1];
    }

    /// <summary>What is declared on the line, else what is used there; narrowed by the column and by `symbol`.</summary>
    private static async Task<List<ISymbol>> AtPlaceAsync(CodeQuery query, string file, int line)
    {
        var found = new List<ISymbol>();
        foreach (var document in query.DocumentsOf(file))
        {
            var text = await document.GetTextAsync(query.Cancellation);
            if (line < 1 || line > text.Lines.Count)
                throw new CodeException("noPlace", $"{file} has {text.Lines.Count} lines, so it has no line {line}.", "Read the file again.");
            var span = text.Lines[line - 1].Span;
            if (query.Request.Column is { } column && (column < 1 || column > span.Length + 1))
                throw new CodeException("noPlace", $"Line {line} of {file} has {span.Length} characters, so it has no column {column}.", "Read the file again.");
            found.AddRange(await OnLineAsync(query, document, span));
        }
        return found.Count > 0 ? found : throw new CodeException("noPlace", $"{file}({line}) has no symbol{(query.Request.Symbol is { } name ? $" {name}" : "")}.", "Name another line, or the symbol.");
    }

    private static async Task<List<ISymbol>> OnLineAsync(CodeQuery query, Document document, Microsoft.CodeAnalysis.Text.TextSpan line)
    {
        var root = (await document.GetSyntaxRootAsync(query.Cancellation))!;
        var model = (await document.GetSemanticModelAsync(query.Cancellation))!;
        var tokens = root.DescendantTokens(line).Where(token => line.Contains(token.SpanStart) && IsName(token));
        if (query.Request.Column is { } column)
            tokens = tokens.Where(token => token.Span.Start <= line.Start + column - 1 && line.Start + column - 1 <= token.Span.End);
        var name = query.Request.Symbol is { } text ? SymbolName.Parse(text) : null;
        var (declared, used) = (new List<ISymbol>(), new List<ISymbol>());
        foreach (var token in tokens)
        {
            if (DeclaredBy(model, token, query.Cancellation) is { } symbol)
                declared.Add(symbol);
            else if (UsedBy(model, token, query.Cancellation) is { } other)
                used.Add(other);
        }
        var fitting = declared.Concat(used).Where(symbol => name is null || name.Fits(symbol, StringComparison.OrdinalIgnoreCase)).ToList();
        fitting = name?.Narrow(fitting) ?? fitting;
        var members = fitting.Where(symbol => declared.Contains(symbol) && symbol is INamedTypeSymbol or IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol).ToList();
        return query.Request.Column is null && members.Count > 0 ? members : fitting;
    }

    private static bool IsName(SyntaxToken token) =>
        token.IsKind(SyntaxKind.IdentifierToken) || token.IsKind(SyntaxKind.ThisKeyword) && token.Parent is Microsoft.CodeAnalysis.CSharp.Syntax.IndexerDeclarationSyntax;

    private static ISymbol? DeclaredBy(SemanticModel model, SyntaxToken token, CancellationToken cancellation)
    {
        var symbol = model.GetDeclaredSymbol(token.Parent!, cancellation);
        return symbol is not null && symbol.Locations.Any(location => location.SourceTree == token.SyntaxTree && location.SourceSpan == token.Span) ? symbol : null;
    }

    private static ISymbol? UsedBy(SemanticModel model, SyntaxToken token, CancellationToken cancellation)
    {
        var info = model.GetSymbolInfo(token.Parent!, cancellation);
        var symbol = info.Symbol ?? info.CandidateSymbols.FirstOrDefault();
        return symbol is INamespaceSymbol or null ? null : symbol.OriginalDefinition;
    }
}
