using System.Text;
using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>One framework of a project: everything that a Roslyn project is made from, and no text of a file.</summary>
/// <param name="IsMultiTargeted">Whether the project has other frameworks.</param>
/// <param name="Generated">Documents that targets of the SDK would write.</param>
/// <param name="AdditionalFiles">With the path relative to the project, as Razor wants it.</param>
/// <param name="WithheldGenerators">Packages and files whose generators do not run.</param>
/// <param name="Notes">What is missing.</param>
/// <param name="Imports">Files of the repository that the project imports.</param>
/// <param name="HasDefaultItems">Whether the SDK includes all C# files of the folder.</param>
internal sealed record ProjectSpec(
    string Path,
    string Framework,
    string FrameworkName,
    bool IsMultiTargeted,
    string AssemblyName,
    string RootNamespace,
    string TargetPath,
    IReadOnlyList<string> Arguments,
    IReadOnlyList<string> References,
    IReadOnlyList<AssetsProject> ProjectReferences,
    IReadOnlyList<string> Generators,
    IReadOnlyList<string> Documents,
    IReadOnlyList<(string Name, string Text)> Generated,
    IReadOnlyList<string> AdditionalFiles,
    IReadOnlyList<string> ConfigFiles,
    IReadOnlyDictionary<string, string> VisibleProperties,
    IReadOnlyList<string> WithheldGenerators,
    IReadOnlyList<string> Notes,
    IReadOnlyList<string> Imports,
    bool HasEntryPointOfBuild,
    bool HasDefaultItems)
{
    public string Name => System.IO.Path.GetFileNameWithoutExtension(Path);

    public string Folder => System.IO.Path.GetDirectoryName(Path)!;

    /// <summary>Equal if a Roslyn project differs in its documents only.</summary>
    public string ShapeKey => string.Join('\n',
    [
        AssemblyName, RootNamespace, .. Arguments, "-", .. References, "-", .. ProjectReferences.Select(one => one.ToString()), "-",
        .. Generators, "-", .. AdditionalFiles, "-", .. ConfigFiles, "-", .. Generated.Select(one => one.Text),
        .. VisibleProperties.Select(pair => $"{pair.Key}={pair.Value}"),
    ]);

    public static ProjectSpec Create(
        ProjectFacts facts, IEnumerable<string> imports, string sdk, string packagesFolder, bool isMultiTargeted, bool runsGenerators)
    {
        var assets = Assets.Read(facts);
        var packs = TargetingPacks.Find(facts, sdk, assets?.Folders ?? [packagesFolder]);
        var packages = assets?.Packages ?? [];
        var ofPackages = packages.Where(package => package.AnalyzerFiles.Any(GeneratorFiles.HasGenerator)).ToList();
        var compiled = facts.Items("Compile").Select(item => item.FullPath).Distinct(StringComparer.Ordinal).ToLookup(File.Exists);
        var documents = compiled[true].ToList();
        var generators = packs.Generators.Concat(RazorGenerator(facts, sdk));
        var ofRepository = facts.Items("Analyzer").Select(item => item.FullPath).Where(File.Exists).ToList();
        var kept = runsGenerators ? [] : GeneratedByLastBuild(facts);
        return new(
            facts.Path,
            facts.Framework,
            $"{facts["TargetFrameworkIdentifier"]},Version={facts["TargetFrameworkVersion"]}",
            isMultiTargeted,
            facts["AssemblyName"],
            facts["RootNamespace"],
            facts["TargetPath"],
            CompilerOptions.Arguments(facts),
            WithoutConflicts([.. packs.References, .. packages.SelectMany(package => package.CompileFiles), .. FileReferences(facts)]),
            ProjectReferencesOf(facts, assets),
            [.. generators, .. runsGenerators ? ofPackages.SelectMany(package => package.AnalyzerFiles).Concat(ofRepository) : []],
            [.. documents, .. kept.Except(documents)],
            [("GlobalUsings.g.cs", GlobalUsings(facts)), ("AssemblyInfo.g.cs", AssemblyInfo(facts))],
            [.. facts.Items("AdditionalFiles").Select(item => item.FullPath).Concat(RazorFiles(facts)).Distinct().Where(File.Exists)],
            EditorConfigs(documents),
            ProjectFacts.VisibleProperties.Where(name => facts[name] != "").ToDictionary(name => name, name => facts[name]),
            runsGenerators ? [] : [.. ofPackages.Select(package => package.Name), .. ofRepository.Where(GeneratorFiles.HasGenerator).Select(file => System.IO.Path.GetFileName(file))],
            NotesOf(facts, packs, assets, compiled[false]),
            [.. imports.Where(file => file != facts.Path && !ProjectInputs.IsIn(file, packagesFolder) && !file.Contains(".nuget.g.", StringComparison.Ordinal))],
            facts.Is("IsTestProject") || facts.Is("GenerateProgramFile") || facts.Is("IsTestingPlatformApplication"),
            facts.Is("EnableDefaultItems") && facts.Is("EnableDefaultCompileItems"));
    }

    private static List<string> NotesOf(ProjectFacts facts, TargetingPacks packs, Assets? assets, IEnumerable<string> missingDocuments)
    {
        var name = System.IO.Path.GetFileName(facts.Path);
        var notes = packs.Missing
            .Select(pack => $"{name}: the targeting pack {pack} is neither in the SDK nor in the packages folder. Call Restore.")
            .ToList();
        if (assets is null)
            notes.Add($"{name} is not restored{(facts.Framework == "" ? "" : $" for {facts.Framework}")}, so its packages are missing. Call Restore.");
        else if (assets.MissingPackages is { Count: > 0 } missing)
            notes.Add($"{name}: {string.Join(", ", missing)} {(missing.Count == 1 ? "is" : "are")} no longer in the packages folder. Call Restore.");
        notes.AddRange(missingDocuments.Select(path => $"{name} compiles {path}, which does not exist."));
        return notes;
    }

    /// <summary>Direct references, and through the assets file those of other projects too.</summary>
    private static List<AssetsProject> ProjectReferencesOf(ProjectFacts facts, Assets? assets)
    {
        var direct = facts.Items("ProjectReference")
            .Where(item => !item.Get("ReferenceOutputAssembly").Equals("false", StringComparison.OrdinalIgnoreCase))
            .Select(item => item.FullPath)
            .Distinct()
            .ToList();
        var resolved = assets?.Projects ?? [];
        var frameworks = resolved.ToLookup(project => project.Path, project => project.Framework);
        var others = facts.Is("DisableTransitiveProjectReferences") ? [] : resolved.Where(project => !direct.Contains(project.Path));
        return [.. direct.Select(path => new AssetsProject(path, frameworks[path].FirstOrDefault("")!)), .. others];
    }

    private static IEnumerable<string> FileReferences(ProjectFacts facts) => facts.Items("Reference")
        .SelectMany(item => new[] { item.FullPath, item.Get("HintPath") is { Length: > 0 } hint ? facts.FullPath(hint) : "" })
        .Where(path => path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) && File.Exists(path));

    /// <summary>Of two assemblies with one name the higher version stays, as in ResolvePackageFileConflicts.</summary>
    private static List<string> WithoutConflicts(IEnumerable<string> files) => files
        .Distinct()
        .GroupBy(file => System.IO.Path.GetFileName(file), StringComparer.OrdinalIgnoreCase)
        .Select(same => same.Count() == 1 ? same.First() : same.MaxBy(VersionOf)!)
        .ToList();

    private static Version VersionOf(string file)
    {
        try
        {
            return System.Reflection.AssemblyName.GetAssemblyName(file).Version ?? new();
        }
        catch (Exception error) when (error is IOException or BadImageFormatException)
        {
            return new();
        }
    }

    private static string GlobalUsings(ProjectFacts facts)
    {
        var text = new StringBuilder("// <auto-generated/>\n");
        foreach (var item in facts.Items("Using"))
        {
            var isStatic = item.Get("Static").Equals("true", StringComparison.OrdinalIgnoreCase);
            var alias = item.Get("Alias") is { Length: > 0 } name ? $"{name} = " : "";
            text.Append($"global using {(isStatic ? "static " : "")}{alias}{(isStatic ? "" : "global::")}{item.Include};\n");
        }
        return text.ToString();
    }

    private static string AssemblyInfo(ProjectFacts facts)
    {
        var text = new StringBuilder("// <auto-generated/>\n");
        foreach (var item in facts.Items("InternalsVisibleTo"))
        {
            var key = item.Get("Key") is { Length: > 0 } value ? $", PublicKey={value}" : "";
            text.Append($"[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"{item.Include}{key}\")]\n");
        }
        return text.ToString();
    }

    private static IEnumerable<string> RazorFiles(ProjectFacts facts) => facts["RazorLangVersion"] == "" ? [] : facts.Items("Content")
        .Select(item => item.FullPath)
        .Where(path => path.EndsWith(".razor", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".cshtml", StringComparison.OrdinalIgnoreCase));

    private static IEnumerable<string> RazorGenerator(ProjectFacts facts, string sdk)
    {
        var folder = System.IO.Path.Combine(sdk, "Sdks", "Microsoft.NET.Sdk.Razor", "source-generators");
        return facts["RazorLangVersion"] != "" && Directory.Exists(folder) ? Directory.GetFiles(folder, "*Razor.Compiler.dll") : [];
    }

    /// <summary>Where a build keeps generated files; null if it keeps none.</summary>
    public static string? GeneratedFolder(ProjectFacts facts) =>
        facts.Is("EmitCompilerGeneratedFiles") && facts["CompilerGeneratedFilesOutputPath"] is { Length: > 0 } folder ? facts.FullPath(folder) : null;

    private static IEnumerable<string> GeneratedByLastBuild(ProjectFacts facts)
    {
        if (GeneratedFolder(facts) is not { } folder)
            return [];
        // The generators of the SDK run here too.
        return !Directory.Exists(folder) ? [] : Directory.GetFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Where(file => !OfSdk.Any(name => file[folder.Length..].TrimStart('/', '\\').StartsWith(name, StringComparison.Ordinal)));
    }

    private static readonly string[] OfSdk = ["Microsoft.Interop.", "System.Text.Json.", "System.Text.RegularExpressions.", "Microsoft.CodeAnalysis.Razor.", "Microsoft.AspNetCore.", "Microsoft.Extensions."];

    private static List<string> EditorConfigs(IEnumerable<string> documents)
    {
        var folders = new HashSet<string>();
        foreach (var document in documents)
        {
            for (var folder = System.IO.Path.GetDirectoryName(document); folder is not null && folders.Add(folder);)
                folder = System.IO.Path.GetDirectoryName(folder);
        }
        return folders.Select(folder => System.IO.Path.Combine(folder, ".editorconfig")).Where(File.Exists).Order().ToList();
    }
}
