using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>How symbols are written in answers.</summary>
internal static class Symbols
{
    private const SymbolDisplayMiscellaneousOptions Short =
        SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier;

    /// <summary><c>Shop.Cart.Total(int)</c>: what the parameter `symbol` takes.</summary>
    private static readonly SymbolDisplayFormat Name = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        SymbolDisplayGenericsOptions.IncludeTypeParameters,
        SymbolDisplayMemberOptions.IncludeContainingType | SymbolDisplayMemberOptions.IncludeParameters
            | SymbolDisplayMemberOptions.IncludeExplicitInterface,
        parameterOptions: SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeParamsRefOut,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes
            | SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers);

    private static readonly SymbolDisplayFormat ShortTypes = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameOnly,
        SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeTypeConstraints
            | SymbolDisplayGenericsOptions.IncludeVariance,
        SymbolDisplayMemberOptions.IncludeParameters | SymbolDisplayMemberOptions.IncludeType
            | SymbolDisplayMemberOptions.IncludeModifiers | SymbolDisplayMemberOptions.IncludeAccessibility
            | SymbolDisplayMemberOptions.IncludeRef | SymbolDisplayMemberOptions.IncludeExplicitInterface
            | SymbolDisplayMemberOptions.IncludeConstantValue,
        SymbolDisplayDelegateStyle.NameAndSignature,
        SymbolDisplayExtensionMethodStyle.StaticMethod,
        SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeName
            | SymbolDisplayParameterOptions.IncludeParamsRefOut | SymbolDisplayParameterOptions.IncludeDefaultValue
            | SymbolDisplayParameterOptions.IncludeExtensionThis,
        SymbolDisplayPropertyStyle.ShowReadWriteDescriptor,
        kindOptions: SymbolDisplayKindOptions.IncludeTypeKeyword,
        miscellaneousOptions: Short);

    public static string NameOf(ISymbol symbol) => symbol switch
    {
        IMethodSymbol { MethodKind: MethodKind.StaticConstructor } => $"{NameOf(symbol.ContainingType)}..cctor()",
        IMethodSymbol { Name: WellKnownMemberNames.TopLevelStatementsEntryPointMethodName } => $"{NameOf(symbol.ContainingType)}.{symbol.Name}",
        _ => symbol.ToDisplayString(Name),
    };

    /// <summary>The member that a local function, lambda, accessor or backing field belongs to.</summary>
    public static ISymbol MemberOf(ISymbol symbol) => symbol switch
    {
        IMethodSymbol { MethodKind: MethodKind.LocalFunction or MethodKind.AnonymousFunction } => MemberOf(symbol.ContainingSymbol),
        IMethodSymbol { AssociatedSymbol: { } member } => member,
        IFieldSymbol { AssociatedSymbol: { } member } => member,
        _ => symbol,
    };

    public static string KindOf(ISymbol symbol) => symbol switch
    {
        INamedTypeSymbol { IsRecord: true } => "record",
        INamedTypeSymbol type => type.TypeKind.ToString().ToLowerInvariant(),
        IMethodSymbol { MethodKind: MethodKind.Constructor or MethodKind.StaticConstructor } => "constructor",
        IMethodSymbol { MethodKind: MethodKind.UserDefinedOperator or MethodKind.Conversion } => "operator",
        IFieldSymbol { IsConst: true, ContainingType.TypeKind: not TypeKind.Enum } => "constant",
        IFieldSymbol { ContainingType.TypeKind: TypeKind.Enum } => "enumMember",
        IPropertySymbol { IsIndexer: true } => "indexer",
        _ => symbol.Kind.ToString().ToLowerInvariant(),
    };

    public static string SignatureOf(ISymbol symbol)
    {
        var text = symbol.ToDisplayString(ShortTypes);
        if (symbol is not INamedTypeSymbol type)
            return text;
        string[] modifiers =
        [
            SyntaxWord(type.DeclaredAccessibility),
            type.IsStatic ? "static" : type.IsAbstract && type.TypeKind == TypeKind.Class ? "abstract"
                : type.IsSealed && type.TypeKind == TypeKind.Class ? "sealed" : "",
        ];
        var bases = type.TypeKind is TypeKind.Enum or TypeKind.Delegate
            ? []
            : new[] { type.BaseType }.Where(one => one is { SpecialType: SpecialType.None }).Concat(type.Interfaces)
                .Select(one => one!.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
        var list = string.Join(", ", bases);
        return string.Join(' ', modifiers.Where(word => word != "").Append(text)) + (list == "" ? "" : $" : {list}");
    }

    private static string SyntaxWord(Accessibility accessibility) => accessibility switch
    {
        Accessibility.ProtectedOrInternal => "protected internal",
        Accessibility.ProtectedAndInternal => "private protected",
        _ => accessibility.ToString().ToLowerInvariant(),
    };

    /// <summary>The declarations of a symbol; one without sources has one entry with its assembly.</summary>
    public static IEnumerable<SymbolInfo> Describe(ISymbol symbol, CodeQuery query, string? relation = null)
    {
        var (name, kind, signature) = (NameOf(symbol), KindOf(symbol), SignatureOf(symbol));
        var references = symbol.DeclaringSyntaxReferences;
        if (references.Length == 0 && !symbol.Locations.Any(location => location.IsInSource))
            return [new(name, kind, signature, Assembly: symbol.ContainingAssembly?.Name, Relation: relation)];
        var project = query.Solution.GetProject(symbol.ContainingAssembly);
        var projectName = project is null ? null : query.ProjectNameOf(project);
        if (references.Length == 0)
            return [InSource(Locations.Of(symbol.Locations.First(location => location.IsInSource).GetLineSpan()))];
        var places = references
            .Select(reference => Locations.DeclarationOf(reference.GetSyntax(query.Cancellation)))
            .Select(node => Locations.Of(node.SyntaxTree.GetMappedLineSpan(Locations.SpanOf(node))))
            .ToList();
        // If a type has parts that people wrote, its generated parts are left out.
        var own = places.Where(place => !Locations.IsGenerated(place.Path)).ToList();
        return (own.Count > 0 ? own : places).Select(InSource);

        SymbolInfo InSource((string Path, int Line, int Column, int EndLine) place) => new(
            name, kind, signature, place.Path, place.Line, place.EndLine, projectName, Relation: relation,
            IsGenerated: Locations.IsGenerated(place.Path) ? true : null);
    }

    /// <summary>The same for a symbol in each framework, and in each project that links its file.</summary>
    public static string KeyOf(ISymbol symbol)
    {
        var location = symbol.Locations.FirstOrDefault(one => one.IsInSource);
        return location is null
            ? $"{symbol.ContainingAssembly?.Name} {symbol.GetDocumentationCommentId() ?? NameOf(symbol)}"
            : $"{location.SourceTree!.FilePath} {location.SourceSpan.Start} {symbol.Kind}";
    }
}
