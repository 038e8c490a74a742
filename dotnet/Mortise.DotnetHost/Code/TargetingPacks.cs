using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>The reference assemblies of a project's frameworks, and the generators that come with them.</summary>
internal sealed record TargetingPacks(
    IReadOnlyList<string> References, IReadOnlyList<string> Generators, IReadOnlyList<string> Missing)
{
    /// <summary>
    /// Generators that a build uses only if this property of the project is <c>true</c> (SDK 10.0, target
    /// <c>ResolveOffByDefaultAnalyzers</c>).
    /// </summary>
    private static readonly Dictionary<string, string> OffByDefault = new()
    {
        ["Microsoft.AspNetCore.Http.RequestDelegateGenerator.dll"] = "EnableRequestDelegateGenerator",
        ["Microsoft.Extensions.Configuration.Binder.SourceGeneration.dll"] = "EnableConfigurationBindingGenerator",
    };

    public static IEnumerable<string> Properties => OffByDefault.Values;

    public static TargetingPacks Find(ProjectFacts facts, string sdk, IReadOnlyList<string> packageFolders)
    {
        var references = new List<string>(OfNetFramework(facts));
        var generators = new List<string>();
        var missing = new List<string>();
        foreach (var name in facts.Items("FrameworkReference").Select(item => item.Include).Distinct())
        {
            if (Known(facts, name) is not { } known)
                continue;
            var (pack, version) = (known.Get("TargetingPackName"), known.Get("TargetingPackVersion"));
            string[] folders =
            [
                Path.Combine(facts["NetCoreTargetingPackRoot"], pack, version),
                .. packageFolders.Select(one => Path.Combine(one, pack.ToLowerInvariant(), version)),
            ];
            if (folders.FirstOrDefault(Directory.Exists) is not { } folder)
            {
                missing.Add($"{pack} {version}");
                continue;
            }
            references.AddRange(FilesIn(Path.Combine(folder, "ref", Short(facts.Framework)), "*.dll"));
            generators.AddRange(GeneratorsOf(folder, sdk).Where(file => IsOn(file, facts)));
        }
        return new(references, generators, missing);
    }

    /// <summary>
    /// Only of packs beside the SDK, which belong to it. Properties and items of the project choose the folder, so it can be
    /// any.
    /// </summary>
    private static IEnumerable<string> GeneratorsOf(string pack, string sdk)
    {
        var packs = Path.GetFullPath(Path.Combine(sdk, "..", "..", "packs"));
        var folder = Path.GetFullPath(Path.Combine(pack, "analyzers", "dotnet", "cs"));
        return ProjectInputs.IsIn(folder, packs) ? FilesIn(folder, "*.dll") : [];
    }

    private static bool IsOn(string generator, ProjectFacts facts) =>
        !OffByDefault.TryGetValue(Path.GetFileName(generator), out var property)
        || facts.Is(property);

    private static ItemResult? Known(ProjectFacts facts, string name) => facts.Items("KnownFrameworkReference")
        .FirstOrDefault(known => known.Include == name && known.Get("TargetFramework") == Short(facts.Framework));

    /// <summary><c>net8.0</c> of <c>net8.0-windows10.0</c>.</summary>
    private static string Short(string framework) => framework.Split('-')[0];

    /// <summary>A package has the reference assemblies of .NET Framework, and sets this property.</summary>
    private static IEnumerable<string> OfNetFramework(ProjectFacts facts)
    {
        if (facts["TargetFrameworkIdentifier"] != ".NETFramework" || facts["TargetFrameworkRootPath"] == "")
            return [];
        var folder = Path.Combine(facts["TargetFrameworkRootPath"], ".NETFramework", facts["TargetFrameworkVersion"]);
        return FilesIn(folder, "*.dll").Concat(FilesIn(Path.Combine(folder, "Facades"), "*.dll"));
    }

    private static string[] FilesIn(string folder, string pattern) =>
        Directory.Exists(folder) ? Directory.GetFiles(folder, pattern) : [];
}
