using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code;

/// <summary>Places of code in files, as people count them.</summary>
internal static class Locations
{
    /// <summary>1-based.</summary>
    public static (string Path, int Line, int Column, int EndLine) Of(FileLinePositionSpan span) =>
        (span.Path, span.StartLinePosition.Line + 1, span.StartLinePosition.Character + 1, span.EndLinePosition.Line + 1);

    /// <summary>The whole declaration of a field, whose syntax is only its name.</summary>
    public static SyntaxNode DeclarationOf(SyntaxNode node) =>
        node is VariableDeclaratorSyntax { Parent.Parent: BaseFieldDeclarationSyntax field } ? field : node;

    /// <summary>A declaration without the attributes above it.</summary>
    public static TextSpan SpanOf(SyntaxNode declaration) =>
        declaration is MemberDeclarationSyntax { AttributeLists: [.., var last] }
            ? TextSpan.FromBounds(last.GetLastToken().GetNextToken().SpanStart, declaration.Span.End)
            : declaration.Span;

    public static bool IsGenerated(string path)
    {
        var name = Path.GetFileName(path);
        return !Path.IsPathRooted(path)
            || name.EndsWith(".g.cs", StringComparison.OrdinalIgnoreCase)
            || name.EndsWith(".generated.cs", StringComparison.OrdinalIgnoreCase)
            || name.EndsWith(".designer.cs", StringComparison.OrdinalIgnoreCase)
            || path.Replace('\\', '/').Contains("/obj/", StringComparison.Ordinal);
    }

    /// <summary>The member around a node, with its types: <c>Cart.Total</c>.</summary>
    public static string? MemberAround(SyntaxNode node)
    {
        var names = node.AncestorsAndSelf().Select(NameOf).OfType<string>().Reverse().ToList();
        return names.Count == 0 ? null : string.Join('.', names);
    }

    private static string? NameOf(SyntaxNode node) => node switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier.Text,
        DelegateDeclarationSyntax type => type.Identifier.Text,
        MethodDeclarationSyntax method => $"{method.ExplicitInterfaceSpecifier}{method.Identifier.Text}",
        PropertyDeclarationSyntax property => $"{property.ExplicitInterfaceSpecifier}{property.Identifier.Text}",
        EventDeclarationSyntax @event => $"{@event.ExplicitInterfaceSpecifier}{@event.Identifier.Text}",
        ConstructorDeclarationSyntax constructor => constructor.Modifiers.Any(SyntaxKind.StaticKeyword) ? ".cctor" : ".ctor",
        DestructorDeclarationSyntax => "Finalize",
        IndexerDeclarationSyntax indexer => $"{indexer.ExplicitInterfaceSpecifier}this[]",
        OperatorDeclarationSyntax @operator => $"operator {@operator.OperatorToken.Text}",
        ConversionOperatorDeclarationSyntax conversion => $"{conversion.ImplicitOrExplicitKeyword.Text} operator {conversion.Type}",
        EnumMemberDeclarationSyntax member => member.Identifier.Text,
        VariableDeclaratorSyntax { Parent.Parent: BaseFieldDeclarationSyntax } field => field.Identifier.Text,
        _ => null,
    };
}
