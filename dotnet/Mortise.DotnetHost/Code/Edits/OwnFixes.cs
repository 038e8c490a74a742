using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Code fixes that Roslyn lacks, for diagnostics that say how they are repaired.</summary>
internal sealed partial class OwnFixes : CodeFixProvider
{
    private delegate (string Title, SyntaxNode Root)? Repair(SyntaxNode root, SyntaxNode node, SemanticModel model);

    private static readonly Dictionary<string, Repair> Repairs = new()
    {
        ["CS0114"] = AddOverride,
        ["CS0618"] = ReplaceObsolete,
        ["CS0619"] = ReplaceObsolete,
        ["CS8120"] = RemoveCase,
        ["CS8510"] = RemoveCase,
    };

    public override ImmutableArray<string> FixableDiagnosticIds => [.. Repairs.Keys];

    public override FixAllProvider? GetFixAllProvider() => null;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken))!;
        var model = (await context.Document.GetSemanticModelAsync(context.CancellationToken))!;
        var node = root.FindNode(context.Span, getInnermostNodeForTie: true);
        foreach (var diagnostic in context.Diagnostics)
        {
            if (Repairs[diagnostic.Id](root, node, model) is not { } repair)
                continue;
            var changed = context.Document.WithSyntaxRoot(repair.Root);
            context.RegisterCodeFix(CodeAction.Create(repair.Title, _ => Task.FromResult(changed), repair.Title), diagnostic);
        }
    }

    private static (string, SyntaxNode)? AddOverride(SyntaxNode root, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<MemberDeclarationSyntax>() is not { Modifiers.Count: > 0 } member)
            return null;
        var others = member.Modifiers.Where(one => !one.IsKind(SyntaxKind.VirtualKeyword)).ToList();
        if (others.Count == 0)
            return null;
        var added = SyntaxFactory.Token(default, SyntaxKind.OverrideKeyword, SyntaxFactory.TriviaList(SyntaxFactory.Space));
        return ("Add 'override'", root.ReplaceNode(member, member.WithModifiers(SyntaxFactory.TokenList([.. others, added]))));
    }

    /// <summary>Removes a case, or an arm, that earlier ones handle. Its code never runs.</summary>
    private static (string, SyntaxNode)? RemoveCase(SyntaxNode root, SyntaxNode node, SemanticModel model)
    {
        SyntaxNode? unreachable = node.FirstAncestorOrSelf<SwitchExpressionArmSyntax>();
        if (node.FirstAncestorOrSelf<SwitchLabelSyntax>() is { Parent: SwitchSectionSyntax section } label)
            unreachable = section.Labels.Count > 1 ? label : section;
        return unreachable is null ? null
            : ("Remove unreachable case", root.RemoveNode(unreachable, SyntaxRemoveOptions.KeepUnbalancedDirectives)!);
    }

    /// <summary>Uses the only other member, or type, that the message of the attribute names.</summary>
    private static (string, SyntaxNode)? ReplaceObsolete(SyntaxNode root, SyntaxNode node, SemanticModel model)
    {
        foreach (var name in node.DescendantNodesAndSelf().OfType<SimpleNameSyntax>())
        {
            if (model.GetSymbolInfo(name).Symbol is not { } symbol || MessageOf(symbol) is not { } message)
                continue;
            var candidates = Identifier().Matches(message).Select(match => match.Value).Distinct()
                .Where(word => word != symbol.Name && IsReplacement(symbol, word)).ToList();
            if (candidates is not [var replacement])
                return null;
            var identifier = SyntaxFactory.Identifier(replacement).WithTriviaFrom(name.Identifier);
            return ($"Replace '{symbol.Name}' with '{replacement}'", root.ReplaceNode(name, name.WithIdentifier(identifier)));
        }
        return null;
    }

    private static string? MessageOf(ISymbol symbol) => symbol.GetAttributes()
        .Where(one => one.AttributeClass?.ToDisplayString() == "System.ObsoleteAttribute" && one.ConstructorArguments.Length > 0)
        .Select(one => one.ConstructorArguments[0].Value as string)
        .FirstOrDefault();

    private static bool IsReplacement(ISymbol symbol, string name)
    {
        var siblings = symbol.ContainingType?.GetMembers(name) ?? symbol.ContainingNamespace.GetMembers(name).Cast<ISymbol>();
        return siblings.Any(other => other.Kind == symbol.Kind && other.IsStatic == symbol.IsStatic && MessageOf(other) is null);
    }

    [GeneratedRegex(@"[\p{L}_][\p{L}\p{N}_]*")]
    private static partial Regex Identifier();
}
