using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>
/// A fingerprint of everything that a project's evaluation depends on: the contents of imported files and of the assets
/// file, and the names of the files that globs and imports can find. An equal fingerprint means an equal evaluation.
/// </summary>
internal static partial class ProjectInputs
{
    private static readonly string[] Skipped = ["bin", "obj", "node_modules"];
    private static readonly string[] ImportedExtensions =
        [".props", ".targets", ".rsp", ".json", ".config", ".user", ".editorconfig", ".globalconfig"];

    /// <param name="imports">The project file and what its evaluation imported outside of the SDK.</param>
    /// <param name="others">More files and folders: the assets file, documents outside of the project's folder.</param>
    /// <param name="generated">Folders in which a build keeps generated files.</param>
    /// <param name="packagesFolder">A folder whose files do not change.</param>
    public static string Fingerprint(
        string project,
        IEnumerable<string> imports,
        string assetsFile,
        IEnumerable<string> documents,
        IEnumerable<string> generated,
        string packagesFolder)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var folder = Path.GetDirectoryName(project)!;
        foreach (var path in imports.Where(path => !IsIn(path, packagesFolder)))
        {
            var content = SourceFiles.ReadIfThere(path);
            hash.AppendData(content);
            if (DependsOnMore(path, content))
                return Guid.NewGuid().ToString();
        }
        hash.AppendData(SourceFiles.ReadIfThere(assetsFile));
        // A file-based app includes no other file of its folder.
        var isApp = FileBasedApp.Is(project);
        AppendNames(hash, folder, isApp ? SearchOption.TopDirectoryOnly : SearchOption.AllDirectories, isApp ? IsImported : _ => true);
        foreach (var outside in documents.Select(path => Path.GetDirectoryName(path)!).Where(path => path != folder && !IsIn(path, folder)).Concat(generated).Distinct())
            AppendNames(hash, outside, SearchOption.AllDirectories, _ => true);
        if (Path.GetDirectoryName(assetsFile) is { Length: > 0 } extensions)
            AppendNames(hash, extensions, SearchOption.TopDirectoryOnly, IsImported);
        for (var above = Path.GetDirectoryName(folder); above is not null; above = Path.GetDirectoryName(above))
            AppendNames(hash, above, SearchOption.TopDirectoryOnly, IsImported);
        return Convert.ToHexString(hash.GetHashAndReset());
    }

    public static bool IsIn(string path, string folder) =>
        path.StartsWith(folder.TrimEnd('/', '\\') + Path.DirectorySeparatorChar, StringComparison.Ordinal);

    /// <summary>Functions and conditions can look at any file, except in what NuGet writes.</summary>
    private static bool DependsOnMore(string path, byte[] content) =>
        !path.Contains(".nuget.g.", StringComparison.Ordinal) && LooksAtFiles().IsMatch(Encoding.UTF8.GetString(content));

    [GeneratedRegex(@"\bSystem\.(IO|DateTime|Guid)\b|\bExists\s*\(|GetRegistryValue", RegexOptions.IgnoreCase)]
    private static partial Regex LooksAtFiles();

    private static bool IsImported(string name) =>
        ImportedExtensions.Contains(Path.GetExtension(name), StringComparer.OrdinalIgnoreCase);

    private static void AppendNames(IncrementalHash hash, string folder, SearchOption depth, Func<string, bool> isIncluded)
    {
        hash.AppendData(Encoding.UTF8.GetBytes(folder));
        try
        {
            var names = new List<string>();
            foreach (var entry in new DirectoryInfo(folder).EnumerateFileSystemInfos())
            {
                if (entry is DirectoryInfo)
                {
                    if (depth == SearchOption.AllDirectories && !Skipped.Contains(entry.Name) && !entry.Name.StartsWith('.') && entry.LinkTarget is null)
                        AppendNames(hash, entry.FullName, depth, isIncluded);
                }
                else if (isIncluded(entry.Name))
                {
                    names.Add(entry.Name);
                }
            }
            names.Sort(StringComparer.Ordinal);
            hash.AppendData(Encoding.UTF8.GetBytes(string.Join('/', names)));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            hash.AppendData("-"u8);
        }
    }
}
