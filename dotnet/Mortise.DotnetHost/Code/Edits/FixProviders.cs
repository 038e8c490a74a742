using System.Collections.Immutable;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CodeRefactorings;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>
/// The code fixes and refactorings of the SDK, which are in the folder of `dotnet format`, and ours. No other ones are loaded.
/// </summary>
internal static class FixProviders
{
    public static readonly ImmutableArray<Assembly> Assemblies =
        [Assembly.Load("Microsoft.CodeAnalysis.Features"), Assembly.Load("Microsoft.CodeAnalysis.CSharp.Features")];

    private static readonly Lazy<ILookup<string, CodeFixProvider>> ByCode = new(() =>
        Create<CodeFixProvider, ExportCodeFixProviderAttribute>(one => one.Languages)
            .Append(new OwnFixes())
            .SelectMany(provider => IdsOf(provider).Distinct().Select(id => (id, provider)))
            .ToLookup(pair => pair.id, pair => pair.provider));

    private static readonly Lazy<IReadOnlyList<CodeRefactoringProvider>> All = new(() =>
        [.. Create<CodeRefactoringProvider, ExportCodeRefactoringProviderAttribute>(one => one.Languages)]);

    public static IEnumerable<CodeFixProvider> Fixing(string code) => ByCode.Value[code];

    public static IReadOnlyList<CodeRefactoringProvider> Refactorings => All.Value;

    private static IEnumerable<TProvider> Create<TProvider, TExport>(Func<TExport, string[]> languagesOf)
        where TProvider : class
        where TExport : Attribute
    {
        var types = Assemblies.SelectMany(TypesOf)
            .Where(type => !type.IsAbstract && type.GetCustomAttribute<TExport>() is { } export && languagesOf(export).Contains(LanguageNames.CSharp))
            .OrderBy(type => type.Name, StringComparer.Ordinal);
        foreach (var type in types)
        {
            if (type.GetConstructor(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, []) is { } constructor)
                yield return (TProvider)constructor.Invoke(null);
        }
    }

    /// <summary>Types whose references the folder lacks cannot be loaded.</summary>
    private static IEnumerable<Type> TypesOf(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException error)
        {
            return error.Types.OfType<Type>();
        }
    }

    private static IEnumerable<string> IdsOf(CodeFixProvider provider)
    {
        try
        {
            return provider.FixableDiagnosticIds;
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            return [];
        }
    }
}
