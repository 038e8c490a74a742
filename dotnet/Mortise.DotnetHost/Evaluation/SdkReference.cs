using System.Text;
using System.Text.Json;
using System.Xml.Linq;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>An SDK that a file names: by <c>Sdk="Name/1.0"</c> of a project or an import, or by an element <c>Sdk</c>.</summary>
/// <param name="Version">Null if the reference has none. Then global.json can have it.</param>
internal sealed record SdkReference(string Name, string? Version)
{
    public static IEnumerable<SdkReference> AllIn(XElement element)
    {
        var names = (string?)element.Attribute(element.Name.LocalName == "Sdk" ? "Name" : "Sdk");
        if (names is null || element.Name.LocalName is not ("Project" or "Import" or "Sdk"))
            return [];
        var version = (string?)element.Attribute("Version");
        return names.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(name => name.Split('/', 2))
            .Select(parts => new SdkReference(parts[0], parts.Length > 1 ? parts[1] : version));
    }
}

/// <summary>
/// Refuses references for which the resolver of NuGet would download a package: those with a version, if the SDK is not
/// part of the .NET SDK, and its package is not in the user's packages folder.
/// </summary>
internal sealed class SdkPackages(string sdkFolder, string packagesFolder)
{
    private const string VersionOfInvalidFile = "(global.json is not JSON)";

    /// <summary>Returns the problem of a project's reference, in words; null if it is allowed.</summary>
    public string? Judge(SdkReference reference, string project)
    {
        var (name, version) = reference;
        if (name.Contains("$(") || version?.Contains("$(") == true)
            return $"the SDK {name}/{version}, whose name or version is computed";
        if (Directory.Exists(Path.Combine(sdkFolder, "Sdks", name, "Sdk")))
            return null;
        var versions = string.IsNullOrWhiteSpace(version) ? VersionsInGlobalJson(name, project) : [version.Trim()];
        var missing = versions.FirstOrDefault(candidate => !IsInPackagesFolder(name, candidate));
        return missing is null ? null : $"the SDK {name}/{missing}, which would be downloaded: it is not in {packagesFolder}";
    }

    private bool IsInPackagesFolder(string name, string version)
    {
        var text = version.Split('+')[0].ToLowerInvariant();
        var folder = Path.Combine(packagesFolder, name.ToLowerInvariant());
        return new[] { text, Normalized(text) }.Any(one =>
            File.Exists(Path.Combine(folder, one, $"{name.ToLowerInvariant()}.nuspec")));
    }

    /// <summary>Returns the name of the folder in NuGet's form: three numbers, and a fourth one unless it is zero.</summary>
    private static string Normalized(string version)
    {
        var parts = version.Split('-', 2);
        var numbers = parts[0].Split('.').Select(part => part.TrimStart('0') is "" ? "0" : part.TrimStart('0')).ToList();
        while (numbers.Count < 3)
            numbers.Add("0");
        if (numbers is [.., "0"] and { Count: 4 })
            numbers.RemoveAt(3);
        var release = string.Join('.', numbers);
        return parts.Length > 1 ? $"{release}-{parts[1]}" : release;
    }

    /// <summary>Reads all files from the project upward, because resolvers differ in which of them they read.</summary>
    private static IEnumerable<string> VersionsInGlobalJson(string name, string project)
    {
        for (var folder = Path.GetDirectoryName(project); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            foreach (var version in VersionsIn(Path.Combine(folder, "global.json"), name))
                yield return version;
        }
    }

    /// <summary>
    /// Returns the values of all members with the name, at any depth: of two members, some resolvers take the first one and
    /// some the last one, and some continue to read after a syntax error. For a file that is not JSON, adds a version that no
    /// package has.
    /// </summary>
    private static List<string> VersionsIn(string path, string name)
    {
        var versions = new List<string>();
        try
        {
            var bytes = File.ReadAllBytes(path).AsSpan();
            var text = bytes.StartsWith(Encoding.UTF8.Preamble) ? bytes[Encoding.UTF8.Preamble.Length..] : bytes;
            var options = new JsonReaderOptions { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };
            var reader = new Utf8JsonReader(text, options);
            while (reader.Read())
            {
                var isNamed = reader.TokenType == JsonTokenType.PropertyName
                    && string.Equals(reader.GetString(), name, StringComparison.OrdinalIgnoreCase);
                if (isNamed && reader.Read() && reader.TokenType == JsonTokenType.String)
                    versions.Add(reader.GetString()!);
            }
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            versions.Add(VersionOfInvalidFile);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Resolvers cannot read it either.
        }
        return versions;
    }
}
