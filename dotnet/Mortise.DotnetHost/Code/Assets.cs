using System.Text.Json;

namespace Mortise.DotnetHost.Code;

/// <summary>A package of an assets file.</summary>
/// <param name="CompileFiles">Absolute paths of its assemblies to compile against.</param>
/// <param name="AnalyzerFiles">Absolute paths of its analyzers and generators for C#.</param>
internal sealed record AssetsPackage(string Name, IReadOnlyList<string> CompileFiles, IReadOnlyList<string> AnalyzerFiles);

/// <summary>A referenced project of an assets file, also where another project references it.</summary>
/// <param name="Framework">The one that NuGet chose for it, such as <c>.NETCoreApp,Version=v8.0</c>.</param>
internal sealed record AssetsProject(string Path, string Framework);

/// <summary>What a restore resolved for one framework of a project.</summary>
/// <param name="MissingPackages">Names with versions of those whose folders are gone.</param>
/// <param name="Folders">The folders in which NuGet looks for packages: the user's, then the fallback folders.</param>
internal sealed record Assets(
    IReadOnlyList<AssetsPackage> Packages,
    IReadOnlyList<string> MissingPackages,
    IReadOnlyList<AssetsProject> Projects,
    IReadOnlyList<string> Folders)
{
    /// <summary>Null if the project is not restored, or not for this framework.</summary>
    public static Assets? Read(ProjectFacts facts)
    {
        try
        {
            using var json = JsonDocument.Parse(SourceFiles.ReadIfThere(facts["ProjectAssetsFile"]));
            return Read(facts, json.RootElement);
        }
        catch (Exception error) when (error is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            return null;
        }
    }

    private static Assets? Read(ProjectFacts facts, JsonElement root)
    {
        var longName = $"{facts["TargetFrameworkIdentifier"]},Version={facts["TargetFrameworkVersion"]}";
        var targets = root.GetProperty("targets").EnumerateObject().Where(target => !target.Name.Contains('/')).ToList();
        var target = targets.Find(one => one.Name.Equals(facts.Framework, StringComparison.OrdinalIgnoreCase));
        if (target.Name is null or "")
            target = targets.Find(one => one.Name.Equals(longName, StringComparison.OrdinalIgnoreCase));
        if (target.Value.ValueKind != JsonValueKind.Object)
            return null;
        var folders = root.GetProperty("packageFolders").EnumerateObject().Select(folder => folder.Name).ToList();
        var libraries = root.GetProperty("libraries");
        var packages = new List<AssetsPackage>();
        var missing = new List<string>();
        var projects = new List<AssetsProject>();
        foreach (var entry in target.Value.EnumerateObject())
        {
            var library = libraries.GetProperty(entry.Name);
            if (entry.Value.GetProperty("type").GetString() == "project")
                projects.Add(ReadProject(facts, entry.Value, library));
            else if (folders.Select(folder => Path.Combine(folder, library.GetProperty("path").GetString()!)).FirstOrDefault(Directory.Exists) is { } folder)
                packages.Add(ReadPackage(entry, library, folder));
            else
                missing.Add(entry.Name);
        }
        return new(packages, missing, projects, folders);
    }

    private static AssetsProject ReadProject(ProjectFacts facts, JsonElement entry, JsonElement library) => new(
        facts.FullPath(library.GetProperty("msbuildProject").GetString()!),
        entry.TryGetProperty("framework", out var framework) ? framework.GetString()! : "");

    private static AssetsPackage ReadPackage(JsonProperty entry, JsonElement library, string folder)
    {
        var compile = entry.Value.TryGetProperty("compile", out var files) ? files.EnumerateObject().Select(file => file.Name) : [];
        var analyzers = library.GetProperty("files").EnumerateArray().Select(file => file.GetString()!).Where(IsAnalyzer);
        return new(entry.Name.Split('/')[0], Absolute(compile.Where(name => name.EndsWith(".dll"))), Absolute(analyzers));

        List<string> Absolute(IEnumerable<string> names) => names.Select(name => Path.GetFullPath(name, folder)).ToList();
    }

    private static bool IsAnalyzer(string file) =>
        file.StartsWith("analyzers/", StringComparison.OrdinalIgnoreCase)
        && file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        && !file.EndsWith(".resources.dll", StringComparison.OrdinalIgnoreCase)
        && !file.Contains("/vb/", StringComparison.OrdinalIgnoreCase);
}
