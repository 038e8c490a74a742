using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.FindSymbols;
using Microsoft.CodeAnalysis.Rename;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Renames a symbol in all projects and frameworks, and the files of a type with it.</summary>
internal static class RenameAction
{
    public static async Task<CodeAnswer> RenameAsync(CodeQuery query)
    {
        var (request, cancellation) = (query.Request, query.Cancellation);
        var symbols = await SymbolLookup.FindAsync(query);
        var symbol = symbols[0];
        AssertCanRename(symbol, request.NewName!);
        var options = new SymbolRenameOptions(RenameInStrings: request.InComments, RenameInComments: request.InComments);
        var variants = new List<Solution>();
        foreach (var one in symbols)
            variants.Add(await Renamer.RenameSymbolAsync(query.Solution, one, options, request.NewName!, cancellation));
        var projectFiles = new ProjectFileEdits();
        var (moved, notes) = MovedFiles(query, symbol, request.NewName!, projectFiles);
        var edits = await SolutionEdits.CreateAsync(query.Solution, variants, cancellation, moved);
        edits = edits with { Files = [.. edits.Files, .. projectFiles.Edits] };
        var errors = await NewErrors.CompareAsync(query, edits, (symbol.Name, request.NewName!));
        List<string> conflicts = [.. edits.Conflicts, .. errors.Added.Select(error => error.Describe())];
        if (conflicts.Count == 0)
            conflicts.AddRange(await OtherMeaningsAsync(query, symbols, edits));
        return Answers.Of(query, edits, errors, conflicts, notes) with { Symbol = Symbols.Describe(symbol, query).First() };
    }

    private static void AssertCanRename(ISymbol symbol, string newName)
    {
        if (!SyntaxFacts.IsValidIdentifier(newName) || SyntaxFacts.GetKeywordKind(newName) != SyntaxKind.None)
            throw new CodeException("newName", $"{newName} is not a name in C#.", "Give a name of letters, digits and underscores that is no keyword.");
        if (newName == symbol.Name)
            throw new CodeException("newName", $"{Symbols.NameOf(symbol)} already has the name {newName}.", "Give another name.");
        if (!symbol.Locations.Any(location => location.IsInSource))
            throw new CodeException("notRenamed", $"{Symbols.NameOf(symbol)} is not declared in the sources of these projects.", "Rename a symbol that they declare.");
        if (symbol is IMethodSymbol { MethodKind: not MethodKind.Ordinary and not MethodKind.LocalFunction } or IPropertySymbol { IsIndexer: true })
            throw new CodeException("notRenamed", $"{Symbols.NameOf(symbol)} has no name of its own.", "Rename the type of a constructor; operators, accessors and indexers have no other name.");
        if (OfPackage(symbol) is { } other)
            throw new CodeException("notRenamed", $"{Symbols.NameOf(symbol)} has its name from {Symbols.NameOf(other)} of {other.ContainingAssembly.Name}.", "Rename a symbol that these projects declare.");
    }

    /// <summary>The member of a package or of the framework that the symbol overrides or implements.</summary>
    private static ISymbol? OfPackage(ISymbol symbol)
    {
        ISymbol? overridden = symbol switch
        {
            IMethodSymbol method => method.OverriddenMethod,
            IPropertySymbol property => property.OverriddenProperty,
            IEventSymbol @event => @event.OverriddenEvent,
            _ => null,
        };
        var implemented = symbol.ContainingType?.AllInterfaces.SelectMany(type => type.GetMembers(symbol.Name))
            .Where(member => SymbolEqualityComparer.Default.Equals(symbol.ContainingType.FindImplementationForInterfaceMember(member), symbol)) ?? [];
        var bases = (overridden is null ? [] : new[] { overridden }).Concat(implemented).ToList();
        return bases.Find(one => !one.Locations.Any(location => location.IsInSource)) ?? (overridden is null ? null : OfPackage(overridden));
    }

    /// <summary>
    /// Returns the new path of each file that is named after the type, such as <c>Cart.cs</c> and <c>Cart.Parts.cs</c>,
    /// and a note for each file that must keep its name.
    /// </summary>
    private static (Dictionary<string, string> Moved, List<string> Notes) MovedFiles(
        CodeQuery query, ISymbol symbol, string newName, ProjectFileEdits projectFiles)
    {
        var (moved, notes) = (new Dictionary<string, string>(), new List<string>());
        if (symbol is not INamedTypeSymbol { ContainingType: null })
            return (moved, notes);
        foreach (var path in symbol.Locations.Where(location => location.IsInSource).Select(location => location.SourceTree!.FilePath).Distinct())
        {
            var name = Path.GetFileName(path);
            var projects = query.DocumentsOf(path).Select(document => query.SpecOf(document.Project)).ToList();
            if (!name.StartsWith(symbol.Name + ".", StringComparison.Ordinal) || Locations.IsGenerated(path))
                continue;
            var newPath = Path.Combine(Path.GetDirectoryName(path)!, newName + name[symbol.Name.Length..]);
            if (File.Exists(newPath) && !string.Equals(path, newPath, StringComparison.OrdinalIgnoreCase))
                notes.Add($"{path} keeps its name, because {newPath} exists.");
            else if (projectFiles.Rename(projects, path, Path.GetFileName(newPath)) is { } other)
                notes.Add($"{path} keeps its name, because {other} names it.");
            else
                moved[path] = newPath;
        }
        return (moved, notes);
    }

    /// <summary>
    /// Places where the new name means something else without an error: the renamed symbol has more or fewer uses than before.
    /// </summary>
    private static async Task<IEnumerable<string>> OtherMeaningsAsync(CodeQuery query, IReadOnlyList<ISymbol> symbols, SolutionEdits edits)
    {
        var (before, after) = (new HashSet<(string, int)>(), new HashSet<(string, int)>());
        foreach (var symbol in symbols)
        {
            before.UnionWith(await UsesAsync(edits.Original, symbol, query.Cancellation));
            if (await InChangedAsync(edits, symbol, query.Cancellation) is { } renamed)
                after.UnionWith(await UsesAsync(edits.Changed, renamed, query.Cancellation));
        }
        // Lines can move with a using directive, so files are compared by how many uses they have.
        var (old, now) = (before.ToLookup(use => use.Item1), after.ToLookup(use => use.Item1));
        return old.Concat(now).Select(uses => uses.Key).Distinct()
            .Where(path => old[path].Count() != now[path].Count())
            .Select(path => $"{path}: {query.Request.NewName} means something else in places of this file.");
    }

    private static async Task<IEnumerable<(string, int)>> UsesAsync(Solution solution, ISymbol symbol, CancellationToken cancellation)
    {
        var found = await SymbolFinder.FindReferencesAsync(symbol, solution, cancellation);
        return found.SelectMany(one => one.Locations).Where(use => !use.IsImplicit && use.Document.FilePath is not null)
            .Select(use => (use.Document.FilePath!, use.Location.SourceSpan.Start));
    }

    /// <summary>The renamed symbol: its declaration is in the same document, after the changes before it.</summary>
    private static async Task<ISymbol?> InChangedAsync(SolutionEdits edits, ISymbol symbol, CancellationToken cancellation)
    {
        var location = symbol.Locations.First(one => one.IsInSource);
        if (edits.Original.GetDocument(location.SourceTree) is not { } document)
            return null;
        var changed = edits.Changed.GetDocument(document.Id)!;
        var changes = (await changed.GetTextAsync(cancellation)).GetTextChanges(await document.GetTextAsync(cancellation));
        var shift = changes.Where(change => change.Span.End <= location.SourceSpan.Start && change.Span.Start < location.SourceSpan.Start)
            .Sum(change => change.NewText!.Length - change.Span.Length);
        return await SymbolFinder.FindSymbolAtPositionAsync(changed, location.SourceSpan.Start + shift, cancellation);
    }
}
