using System.Text.RegularExpressions;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FindSymbols;

namespace Mortise.DotnetHost.Code;

/// <summary>Symbols, Outline, Definition, Implementations and Hierarchy.</summary>
internal static partial class SymbolActions
{
    private const int MaxSourceLines = 80;

    /// <summary>Finds by camel humps or wildcards in the sources, and in packages what has exactly the name.</summary>
    public static async Task<CodeAnswer> SymbolsAsync(CodeQuery query)
    {
        var pattern = query.Request.Symbol ?? "*";
        var found = await FindByPatternAsync(query, pattern);
        if (found.Count == 0)
        {
            foreach (var project in query.Projects)
                found.AddRange(await SymbolFinder.FindDeclarationsAsync(project, pattern, ignoreCase: true, SymbolFilter.TypeAndMember, query.Cancellation));
        }
        var symbols = found
            .Where(symbol => query.Request.Kind is not { } kind || Symbols.KindOf(symbol).Equals(kind, StringComparison.OrdinalIgnoreCase))
            .DistinctBy(Symbols.KeyOf)
            .SelectMany(symbol => Symbols.Describe(symbol, query));
        return ListOf(query, InOrder(symbols));
    }

    /// <summary>By place; those of generated files last.</summary>
    public static IReadOnlyList<SymbolInfo> InOrder(IEnumerable<SymbolInfo> symbols) => symbols
        .OrderBy(symbol => symbol.IsGenerated ?? false)
        .ThenBy(symbol => symbol.Path, StringComparer.Ordinal).ThenBy(symbol => symbol.Line).ThenBy(symbol => symbol.Name, StringComparer.Ordinal)
        .ToList();

    /// <summary>False for the name of an operator, and for the types <c>int*</c> and <c>int?</c> in brackets.</summary>
    public static bool IsPattern(string symbol) => symbol.Split('[', '<')[0].IndexOfAny(['*', '?']) >= 0 && symbol.IndexOfAny([' ', '(']) < 0;

    /// <summary>What the sources declare, in each framework. <c>Shop.*</c> finds all types and members in a namespace or type.</summary>
    public static async Task<List<ISymbol>> FindByPatternAsync(CodeQuery query, string pattern)
    {
        var found = new List<ISymbol>();
        foreach (var project in query.Projects)
            found.AddRange(await InSourcesAsync(query, project, pattern));
        return found;
    }

    private static async Task<IEnumerable<ISymbol>> InSourcesAsync(CodeQuery query, Project project, string pattern)
    {
        if (!IsPattern(pattern))
        {
            var found = await SymbolFinder.FindSourceDeclarationsWithPatternAsync(project, pattern, SymbolFilter.TypeAndMember, query.Cancellation);
            return found.Any() ? found : await EntryClassAsync(query, project, pattern);
        }
        var parts = pattern.Split('.');
        var last = WithWildcards("^", parts[^1], "$");
        var symbols = await SymbolFinder.FindSourceDeclarationsAsync(project, name => last.IsMatch(name), SymbolFilter.TypeAndMember, query.Cancellation);
        var containers = parts.Length == 1 ? null : WithWildcards(@"(?:^|\.)", string.Join('.', parts[..^1]), @"(?:<|\.|$)");
        return symbols.Where(symbol => containers is null || containers.IsMatch(symbol.ContainingSymbol.ToDisplayString()));
    }

    private static Regex WithWildcards(string start, string pattern, string end) => new(
        $"{start}{Regex.Escape(pattern).Replace(@"\*", @"[^.]*").Replace(@"\?", "[^.]")}{end}", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

    /// <summary>The class of top-level statements, which has a name but no declaration that the finder knows.</summary>
    private static async Task<IEnumerable<ISymbol>> EntryClassAsync(CodeQuery query, Project project, string pattern)
    {
        const string name = WellKnownMemberNames.TopLevelStatementsEntryPointTypeName;
        if (!pattern.Equals(name, StringComparison.OrdinalIgnoreCase))
            return [];
        var compilation = await project.GetCompilationAsync(query.Cancellation);
        return compilation?.Assembly.GetTypeByMetadataName(name) is { } type ? [type] : [];
    }

    public static async Task<CodeAnswer> OutlineAsync(CodeQuery query)
    {
        if (query.Request.Symbol is not null)
        {
            var symbols = await SymbolLookup.FindAsync(query);
            var type = symbols.OfType<INamedTypeSymbol>().FirstOrDefault() ?? symbols[0].ContainingType;
            return ListOf(query, [.. Symbols.Describe(type, query), .. MembersOf(type).SelectMany(member => Symbols.Describe(member, query))]);
        }
        if (query.Request.File is not { } file)
            return await TypesOfProjectsAsync(query);
        var members = new List<SymbolInfo>();
        foreach (var document in query.DocumentsOf(file))
        {
            var model = (await document.GetSemanticModelAsync(query.Cancellation))!;
            var types = TypesOf(model.Compilation.Assembly.GlobalNamespace).Where(type => type.DeclaringSyntaxReferences.Any(one => one.SyntaxTree == model.SyntaxTree));
            members.AddRange(types.SelectMany(type => MembersOf(type).Where(member => member is not INamedTypeSymbol).Prepend(type)).SelectMany(symbol => Symbols.Describe(symbol, query)));
        }
        return ListOf(query, members.Where(member => member.Path == file).Distinct().OrderBy(member => member.Line).ThenByDescending(member => member.EndLine).ToList());
    }

    private static async Task<CodeAnswer> TypesOfProjectsAsync(CodeQuery query)
    {
        var types = new List<SymbolInfo>();
        foreach (var project in query.Projects)
        {
            var compilation = (await project.GetCompilationAsync(query.Cancellation))!;
            types.AddRange(TypesOf(compilation.Assembly.GlobalNamespace).SelectMany(type => Symbols.Describe(type, query)));
        }
        return ListOf(query, Sorted(types.Where(type => type is { Path: not null, IsGenerated: null })));
    }

    private static IEnumerable<ISymbol> MembersOf(INamedTypeSymbol type) => type.GetMembers()
        .Where(member => !member.IsImplicitlyDeclared && member is not IMethodSymbol { AssociatedSymbol: not null })
        .Where(member => member.Locations.Any(location => location.IsInSource) || member.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected);

    private static IEnumerable<INamedTypeSymbol> TypesOf(INamespaceOrTypeSymbol container) => container.GetMembers().SelectMany(member => member switch
    {
        INamedTypeSymbol type => TypesOf(type).Prepend(type),
        INamespaceSymbol space => TypesOf(space),
        _ => [],
    });

    public static async Task<CodeAnswer> DefinitionAsync(CodeQuery query)
    {
        var symbol = (await SymbolLookup.FindAsync(query))[0];
        var infos = Symbols.Describe(symbol, query).ToList();
        return new(
            infos[0],
            infos.Count > 1 ? infos : null,
            Documentation: DocumentationOf(symbol, query.Cancellation),
            Source: await SourceOfAsync(symbol, query.Cancellation));
    }

    private static string? DocumentationOf(ISymbol symbol, CancellationToken cancellation)
    {
        try
        {
            var xml = symbol.GetDocumentationCommentXml(expandIncludes: false, cancellationToken: cancellation);
            if (string.IsNullOrWhiteSpace(xml))
                return null;
            var root = XElement.Parse($"<root>{xml}</root>");
            foreach (var reference in root.Descendants().Where(one => one.Name.LocalName is "see" or "seealso" or "paramref" or "typeparamref").ToList())
                reference.ReplaceWith(reference.Value != "" ? reference.Value : WithoutPrefix(reference.Attributes().FirstOrDefault()?.Value ?? ""));
            var lines = root.Descendants().Where(one => one.Name.LocalName is "summary" or "param" or "typeparam" or "returns" or "value" or "exception" or "remarks").Select(LineOf);
            return string.Join('\n', lines.Where(line => line != "")) is { Length: > 0 } text ? text : null;
        }
        catch (System.Xml.XmlException)
        {
            return null;
        }
    }

    private static string LineOf(XElement element)
    {
        var text = Spaces().Replace(element.Value, " ").Trim();
        if (text == "" || element.Name.LocalName == "summary")
            return text;
        var of = element.Attribute("name") ?? element.Attribute("cref");
        return $"{(of is null ? element.Name.LocalName : WithoutPrefix(of.Value))}: {text}";
    }

    private static string WithoutPrefix(string cref) => cref is [_, ':', .. var name] ? name : cref;

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    private static async Task<string?> SourceOfAsync(ISymbol symbol, CancellationToken cancellation)
    {
        if (symbol.DeclaringSyntaxReferences.FirstOrDefault() is not { } reference)
            return null;
        var node = Locations.DeclarationOf(await reference.GetSyntaxAsync(cancellation));
        var text = await node.SyntaxTree.GetTextAsync(cancellation);
        var (first, last) = (text.Lines.GetLineFromPosition(node.SpanStart).LineNumber, text.Lines.GetLineFromPosition(node.Span.End).LineNumber);
        var shown = Enumerable.Range(first, Math.Min(last - first + 1, MaxSourceLines)).Select(line => text.Lines[line].ToString()).ToList();
        var indent = shown.Where(line => line.Trim() != "").Min(line => line.Length - line.TrimStart().Length);
        if (last - first + 1 > MaxSourceLines)
            shown.Add($"{new string(' ', indent)}// … {last - first + 1 - MaxSourceLines} more lines");
        return string.Join('\n', shown.Select(line => line.Length >= indent ? line[indent..] : ""));
    }

    public static async Task<CodeAnswer> ImplementationsAsync(CodeQuery query)
    {
        var symbols = await SymbolLookup.FindAsync(query);
        var found = new List<SymbolInfo>();
        foreach (var symbol in symbols)
        {
            await AddAsync(SymbolFinder.FindImplementationsAsync(symbol, query.Solution, cancellationToken: query.Cancellation), "implementation");
            if (symbol is INamedTypeSymbol { TypeKind: TypeKind.Class } type)
                await AddAsync(SymbolFinder.FindDerivedClassesAsync(type, query.Solution, cancellationToken: query.Cancellation), "derived");
            else if (symbol is not INamedTypeSymbol)
                await AddAsync(SymbolFinder.FindOverridesAsync(symbol, query.Solution, cancellationToken: query.Cancellation), "override");
        }
        return ListOf(query, Sorted(found), symbols[0]);

        async Task AddAsync<T>(Task<IEnumerable<T>> task, string relation) where T : ISymbol =>
            found.AddRange((await task).SelectMany(one => Symbols.Describe(one, query, relation)));
    }

    /// <summary>Bases and interfaces from the nearest on, then derived types and implementations.</summary>
    public static async Task<CodeAnswer> HierarchyAsync(CodeQuery query)
    {
        var symbols = await SymbolLookup.FindAsync(query);
        if (symbols.OfType<INamedTypeSymbol>().ToList() is not { Count: > 0 } types)
            throw new CodeException("noType", $"{Symbols.NameOf(symbols[0])} is not a type.", "Name a type, or use Implementations for a member.");
        var (bases, derived) = (new List<SymbolInfo>(), new List<SymbolInfo>());
        foreach (var type in types)
        {
            for (var one = type.BaseType; one is not null; one = one.BaseType)
                bases.AddRange(Symbols.Describe(one.OriginalDefinition, query, "base"));
            bases.AddRange(type.AllInterfaces.SelectMany(one => Symbols.Describe(one.OriginalDefinition, query, "interface")));
            if (type.TypeKind == TypeKind.Interface)
            {
                derived.AddRange((await SymbolFinder.FindDerivedInterfacesAsync(type, query.Solution, cancellationToken: query.Cancellation)).SelectMany(one => Symbols.Describe(one, query, "derived")));
                derived.AddRange((await SymbolFinder.FindImplementationsAsync(type, query.Solution, cancellationToken: query.Cancellation)).SelectMany(one => Symbols.Describe(one, query, "implementation")));
            }
            else
            {
                derived.AddRange((await SymbolFinder.FindDerivedClassesAsync(type, query.Solution, cancellationToken: query.Cancellation)).SelectMany(one => Symbols.Describe(one, query, "derived")));
            }
        }
        return ListOf(query, [.. bases.Distinct(), .. Sorted(derived)], types[0]);
    }

    private static List<SymbolInfo> Sorted(IEnumerable<SymbolInfo> symbols) => symbols.DistinctBy(one => (one.Name, one.Path, one.Line))
        .OrderBy(one => one.Path, StringComparer.Ordinal).ThenBy(one => one.Line).ToList();

    private static CodeAnswer ListOf(CodeQuery query, IReadOnlyList<SymbolInfo> symbols, ISymbol? of = null)
    {
        var page = Page<SymbolInfo>.Of(symbols, query.Request);
        return new(
            of is null ? null : Symbols.Describe(of, query).First(),
            page.Items,
            Counts: symbols.CountBy(symbol => symbol.Project ?? symbol.Assembly ?? ""),
            Total: page.Total,
            NextCursor: page.NextCursor);
    }
}
