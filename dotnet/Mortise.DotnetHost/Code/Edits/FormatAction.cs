using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Formatting;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Formats a file, or the declarations of a symbol, as <c>.editorconfig</c> says.</summary>
internal static class FormatAction
{
    public static async Task<CodeAnswer> FormatAsync(CodeQuery query)
    {
        var variants = new List<Solution>();
        if (query.Request is { File: { } file, Line: null, Symbol: null })
        {
            foreach (var document in query.DocumentsOf(file))
                variants.Add((await Formatter.FormatAsync(document, cancellationToken: query.Cancellation)).Project.Solution);
        }
        else
        {
            foreach (var symbol in await SymbolLookup.FindAsync(query))
                variants.AddRange(await DeclarationsAsync(query, symbol));
        }
        var edits = await SolutionEdits.CreateAsync(query.Solution, variants, query.Cancellation);
        return new(
            Changes: query.Request.Apply ? edits.Files : [.. edits.Files.Select(edit => edit with { Text = null })],
            Conflicts: edits.Conflicts,
            Hash: Previews.Check(query.Request, edits.Files),
            Notes: edits.Notes);
    }

    private static async Task<List<Solution>> DeclarationsAsync(CodeQuery query, ISymbol symbol)
    {
        var formatted = new List<Solution>();
        foreach (var reference in symbol.DeclaringSyntaxReferences)
        {
            var node = Locations.DeclarationOf(await reference.GetSyntaxAsync(query.Cancellation));
            if (query.Solution.GetDocument(reference.SyntaxTree) is { } document)
                formatted.Add((await Formatter.FormatAsync(document, node.FullSpan, cancellationToken: query.Cancellation)).Project.Solution);
        }
        return formatted;
    }
}
