using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mortise.DotnetHost.Code;

/// <summary>Says what a place does with the symbol that it names.</summary>
internal static class ReferenceKind
{
    public static string Of(SyntaxNode node)
    {
        if (node.IsPartOfStructuredTrivia())
            return "documentation";
        var name = node;
        while (name.Parent is QualifiedNameSyntax or AliasQualifiedNameSyntax
            || name.Parent is MemberAccessExpressionSyntax access && access.Name == name
            || name.Parent is MemberBindingExpressionSyntax)
            name = name.Parent;
        return name switch
        {
            { Parent: AttributeSyntax } => "attribute",
            _ when IsInNameof(name) => "nameof",
            { Parent: InvocationExpressionSyntax call } when call.Expression == name => "call",
            { Parent: ObjectCreationExpressionSyntax or PrimaryConstructorBaseTypeSyntax } => "construct",
            ConstructorInitializerSyntax or ImplicitObjectCreationExpressionSyntax => "construct",
            { Parent: BaseTypeSyntax } => "base",
            { Parent: UsingDirectiveSyntax } => "using",
            _ when IsWritten(name) => "write",
            TypeSyntax when SyntaxFacts.IsInTypeOnlyContext((ExpressionSyntax)name) => "type",
            _ => "read",
        };
    }

    private static bool IsInNameof(SyntaxNode name) => name.Ancestors().OfType<InvocationExpressionSyntax>()
        .Any(call => call.Expression is IdentifierNameSyntax { Identifier.Text: "nameof" });

    private static bool IsWritten(SyntaxNode name) => name.Parent switch
    {
        AssignmentExpressionSyntax assignment => assignment.Left == name,
        PrefixUnaryExpressionSyntax unary => unary.IsKind(SyntaxKind.PreIncrementExpression) || unary.IsKind(SyntaxKind.PreDecrementExpression),
        PostfixUnaryExpressionSyntax unary => unary.IsKind(SyntaxKind.PostIncrementExpression) || unary.IsKind(SyntaxKind.PostDecrementExpression),
        ArgumentSyntax argument => argument.RefKindKeyword.IsKind(SyntaxKind.OutKeyword) || argument.RefKindKeyword.IsKind(SyntaxKind.RefKeyword)
            || argument.Parent is TupleExpressionSyntax { Parent: AssignmentExpressionSyntax tuple } && tuple.Left == argument.Parent,
        _ => false,
    };
}
