using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>What an evaluation says about one framework of a project, read by name.</summary>
internal sealed class ProjectFacts(string path, EvaluationResult evaluation)
{
    public static readonly IReadOnlyList<string> Properties =
    [
        "AllowUnsafeBlocks", "AssemblyName", "AssemblyOriginatorKeyFile", "CheckForOverflowUnderflow",
        "CompilerGeneratedFilesOutputPath", "DefineConstants", "DisableImplicitFrameworkDefines",
        "DisableTransitiveProjectReferences", "DocumentationFile", "EmitCompilerGeneratedFiles",
        "EnableDefaultCompileItems", "EnableDefaultItems", "Features",
        "GenerateDocumentationFile", "GenerateProgramFile", "InterceptorsNamespaces", "InterceptorsPreviewNamespaces",
        "IsTestingPlatformApplication", "IsTestProject", "LangVersion",
        "NetCoreTargetingPackRoot", "NoWarn", "Nullable", "NuGetPackageRoot",
        "OutputType", "ProjectAssetsFile", "PublicSign", "SignAssembly",
        "TargetFrameworkIdentifier", "TargetFrameworkRootPath", "TargetFrameworkVersion", "TargetPath",
        "TreatWarningsAsErrors", "WarningLevel", "WarningsAsErrors",
        "WarningsNotAsErrors", .. TargetingPacks.Properties, .. VisibleProperties,
    ];

    public static readonly IReadOnlyList<string> ItemTypes =
    [
        "AdditionalFiles", "Analyzer", "Compile", "Content", "FrameworkReference",
        "InternalsVisibleTo", "KnownFrameworkReference", "ProjectReference", "Reference", "Using",
    ];

    /// <summary>Properties that the generators of the SDK read.</summary>
    public static IReadOnlyList<string> VisibleProperties =>
    [
        "EnableComHosting", "EnableGeneratedComInterfaceComImportInterop", "GenerateRazorMetadataSourceChecksumAttributes",
        "InvariantGlobalization", "MSBuildProjectDirectory", "ProjectDir", "RazorLangVersion", "RootNamespace",
        "SuppressRazorSourceGenerator", "SupportLocalizedComponentNames", "TargetFramework",
    ];

    public string Path => path;

    public string Folder => System.IO.Path.GetDirectoryName(path)!;

    public string Framework => evaluation.Framework;

    public string this[string property] => evaluation.Properties.GetValueOrDefault(property, "");

    public bool Is(string property) => this[property].Equals("true", StringComparison.OrdinalIgnoreCase);

    public IReadOnlyList<string> List(string property) =>
        this[property].Split([';', ',', ' '], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    public IReadOnlyList<ItemResult> Items(string type) => evaluation.Items.GetValueOrDefault(type, []);

    /// <summary>The absolute path of a value that may be relative to the project.</summary>
    public string FullPath(string value) => System.IO.Path.GetFullPath(value.Replace('\\', '/'), Folder);
}

internal static class ItemResults
{
    public static string Get(this ItemResult item, string metadata) => item.Metadata
        .FirstOrDefault(one => one.Key.Equals(metadata, StringComparison.OrdinalIgnoreCase)).Value ?? "";
}
