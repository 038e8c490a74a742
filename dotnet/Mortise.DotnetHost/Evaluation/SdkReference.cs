using System.Text;
using System.Text.Json;
using System.Xml.Linq;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>An SDK that a file names: <c>Sdk="Name/1.0"</c> of a project or an import, or an element <c>Sdk</c>.</summary>
/// <param name="Version">Null where the reference has none; global.json can have it.</param>
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
/// Refuses references that would make the resolver of NuGet download a package: it has a version, is not part of the .NET
/// SDK, and the package is not in the user's packages folder.
/// </summary>
internal sealed class SdkPackages(string sdkFolder, string packagesFolder)
{
    private const string Unreadable = "(global.json is not JSON)";

    /// <summary>What is wrong with the reference of a project; null if nothing is.</summary>
    public string? Judge(SdkReference reference, string project)
    {
        var (name, version) = reference;
        if (name.Contains("$(") || version?.Contains("$(") == true)
            return $"the SDK {name}/{version}, whose name or version is computed";
        if (Directory.Exists(Path.Combine(sdkFolder, "Sdks", name, "Sdk")))
            return null;
        var versions = string.IsNullOrWhiteSpace(version) ? VersionsInGlobalJson(name, project) : [version.Trim()];
        var missing = versions.FirstOrDefault(one => !IsInPackagesFolder(name, one));
        return missing is null ? null : $"the SDK {name}/{missing}, which would be downloaded: it is not in {packagesFolder}";
    }

    private bool IsInPackagesFolder(string name, string version)
    {
        var text = version.Split('+')[0].ToLowerInvariant();
        var folder = Path.Combine(packagesFolder, name.ToLowerInvariant());
        return new[] { text, Normalized(text) }.Any(one =>
            File.Exists(Path.Combine(folder, one, $"{name.ToLowerInvariant()}.nuspec")));
    }

    /// <summary>As NuGet names folders: three numbers, and a fourth one unless it is zero.</summary>
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

    /// <summary>Of all files from the project upward: which of them a resolver reads is its decision.</summary>
    private static IEnumerable<string> VersionsInGlobalJson(string name, string project)
    {
        for (var folder = Path.GetDirectoryName(project); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            foreach (var version in VersionsIn(Path.Combine(folder, "global.json"), name))
                yield return version;
        }
    }

    /// <summary>
    /// All values of members with the name, wherever they are: resolvers take the first of two members or the last one, and
    /// some read on where the text is not JSON. A file that is not JSON has a version that no package has.
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
            versions.Add(Unreadable);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // No other program can read it either.
        }
        return versions;
    }
}
