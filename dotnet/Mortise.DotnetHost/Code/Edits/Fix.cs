using System.Collections.Immutable;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CodeRefactorings;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>A fix or refactoring for a place, in each framework and project that offers it.</summary>
/// <param name="Code">The diagnostic that it fixes; null for a refactoring.</param>
internal sealed record Fix(string Id, string Title, string? Code, IReadOnlyList<CodeAction> Actions)
{
    private const int IdLength = 8;

    /// <summary>The fixes for the diagnostics of a line, and its refactorings if no code is named.</summary>
    public static async Task<IReadOnlyList<Fix>> FindAsync(CodeQuery query, string file, int line, int? column, string? code)
    {
        var found = new List<(string? Code, CodeAction Action)>();
        foreach (var document in query.DocumentsOf(file))
        {
            var text = await document.GetTextAsync(query.Cancellation);
            if (line < 1 || line > text.Lines.Count)
                throw new CodeException("noPlace", $"{file} has {text.Lines.Count} lines, so it has no line {line}.", "Read the file again.");
            var span = SpanOf(text, line, column);
            var model = (await document.GetSemanticModelAsync(query.Cancellation))!;
            var diagnostics = model.GetDiagnostics(cancellationToken: query.Cancellation)
                .Where(one => one.Location.IsInSource && !one.IsSuppressed && (code is null || one.Id == code) && IsAt(text, one, line, column, span));
            foreach (var diagnostic in diagnostics.ToList())
                found.AddRange(await FixesOfAsync(document, diagnostic, query.Cancellation));
            if (code is null)
                found.AddRange(await RefactoringsAsync(document, span, query.Cancellation));
        }
        return [.. found.GroupBy(one => (one.Code, one.Action.Title)).Select(Of)];
    }

    /// <summary>The changed solution for each framework. Actions that fail, or change more than documents, are left out.</summary>
    public async Task<IReadOnlyList<Solution>> VariantsAsync(Solution original, CancellationToken cancellation)
    {
        var variants = new List<Solution>();
        foreach (var action in Actions)
        {
            try
            {
                var operations = await action.GetOperationsAsync(cancellation);
                if (operations.OfType<ApplyChangesOperation>().FirstOrDefault()?.ChangedSolution is { } changed && SolutionEdits.AreDocumentsOnly(original, changed))
                    variants.Add(changed);
            }
            catch (Exception error) when (error is not OperationCanceledException)
            {
                // Some actions need the windows of an IDE.
            }
        }
        return variants;
    }

    private static Fix Of(IGrouping<(string? Code, string Title), (string? Code, CodeAction Action)> same)
    {
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{same.Key.Code} {same.Key.Title}"));
        return new(Convert.ToHexString(hash)[..IdLength].ToLowerInvariant(), same.Key.Title, same.Key.Code, [.. same.Select(one => one.Action)]);
    }

    /// <summary>An empty span at the column; without a column, the line without the white space around it.</summary>
    private static TextSpan SpanOf(SourceText text, int line, int? column)
    {
        var span = text.Lines[line - 1].Span;
        if (column is { } at)
            return new(Math.Min(span.Start + at - 1, span.End), 0);
        var content = text.ToString(span);
        var start = span.Start + content.Length - content.TrimStart().Length;
        return TextSpan.FromBounds(start, Math.Max(start, span.Start + content.TrimEnd().Length));
    }

    private static bool IsAt(SourceText text, Diagnostic diagnostic, int line, int? column, TextSpan span)
    {
        var first = text.Lines.IndexOf(diagnostic.Location.SourceSpan.Start) + 1;
        return first == line && (column is null || diagnostic.Location.SourceSpan.IntersectsWith(span));
    }

    private static async Task<IEnumerable<(string? Code, CodeAction Action)>> FixesOfAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        var actions = new List<CodeAction>();
        foreach (var provider in FixProviders.Fixing(diagnostic.Id))
        {
            var context = new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), cancellation);
            await TryAsync(() => provider.RegisterCodeFixesAsync(context));
        }
        // A missing await is repaired by a refactoring only.
        foreach (var provider in FixProviders.Refactorings.Where(one => one.GetType().Name.Contains("AddAwait", StringComparison.Ordinal)))
            await TryAsync(() => provider.ComputeRefactoringsAsync(new(document, diagnostic.Location.SourceSpan, actions.Add, cancellation)));
        return actions.SelectMany(Flatten).Select(action => ((string?)diagnostic.Id, action));
    }

    private static async Task<IEnumerable<(string? Code, CodeAction Action)>> RefactoringsAsync(Document document, TextSpan span, CancellationToken cancellation)
    {
        var actions = new List<CodeAction>();
        foreach (var provider in FixProviders.Refactorings)
            await TryAsync(() => provider.ComputeRefactoringsAsync(new(document, span, actions.Add, cancellation)));
        return actions.SelectMany(Flatten).Select(action => ((string?)null, action));
    }

    /// <summary>Providers may want services that only an IDE has.</summary>
    private static async Task TryAsync(Func<Task> work)
    {
        try
        {
            await work();
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // The other providers still answer.
        }
    }

    /// <summary>Nested actions became public after Roslyn 4.8, which this is compiled against.</summary>
    private static IEnumerable<CodeAction> Flatten(CodeAction action)
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        var property = typeof(CodeAction).GetProperty("NestedActions", Any) ?? typeof(CodeAction).GetProperty("NestedCodeActions", Any);
        var nested = (ImmutableArray<CodeAction>)(property?.GetValue(action) ?? ImmutableArray<CodeAction>.Empty);
        return nested.IsDefaultOrEmpty ? [action] : nested.SelectMany(Flatten);
    }
}
