using System.Security.Cryptography;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>
/// Changes of project files, and of files that they import, that name C# files in <c>Compile</c> items. All other text stays.
/// </summary>
internal sealed class ProjectFileEdits
{
    private const string ThisFolder = "$(MSBuildThisFileDirectory)";

    private readonly SortedDictionary<string, (string Hash, SourceText Before, SourceText After)> _files = new(StringComparer.Ordinal);

    public IEnumerable<FileEdit> Edits => _files.Where(pair => pair.Value.After != pair.Value.Before).Select(pair =>
    {
        var (hash, before, after) = pair.Value;
        return new FileEdit(pair.Key, null, hash, UnifiedDiff.Of(before, after, after.GetTextChanges(before)), after.ToString());
    });

    /// <summary>Gives a file another name in the items of all these projects and of their imports, or of none.</summary>
    /// <returns>The file that names it anywhere else; null after the change.</returns>
    public string? Rename(IReadOnlyList<ProjectSpec> projects, string path, string newName)
    {
        var changed = new List<(string File, SourceText Text)>();
        foreach (var file in projects.SelectMany(spec => spec.Imports.Prepend(spec.Path)).Distinct())
        {
            if (Renamed(file, projects.Any(spec => spec.Path == file), path, newName) is not { } text)
                return file;
            changed.Add((file, text));
        }
        foreach (var (file, text) in changed)
            SetText(file, text);
        return null;
    }

    private SourceText? Renamed(string file, bool isProject, string path, string newName)
    {
        var text = TextOf(file);
        var name = new Regex($@"(?<![\w.-]){Regex.Escape(Path.GetFileName(path))}(?![\w.-])", RegexOptions.IgnoreCase);
        var changes = ItemsOf(text).Where(item => Resolve(file, item.Include, isProject) == path)
            .SelectMany(item => item.Attributes)
            .SelectMany(span => name.Matches(text.ToString(span)).Select(match => new TextChange(new(span.Start + match.Index, match.Length), newName)))
            .ToList();
        return changes.Count == name.Count(text.ToString()) ? text.WithChanges(changes) : null;
    }

    /// <summary>Includes a new file before the last item.</summary>
    /// <returns>False, and no change, if the project has files that these items do not name, as wildcards include them.</returns>
    public bool TryAdd(ProjectSpec spec, string path)
    {
        var text = TextOf(spec.Path);
        var items = ItemsOf(text).ToList();
        var named = items.Select(item => Resolve(spec.Path, item.Include, isProject: true)).ToHashSet();
        if (!items.Exists(item => !item.IsConditional) || spec.Documents.Any(document => !named.Contains(document) && !Locations.IsGenerated(document)))
            return false;
        var start = items.Last(item => !item.IsConditional).Start;
        var include = Path.GetRelativePath(spec.Folder, path).Replace('\\', '/');
        if (!items.Exists(item => item.Include.Contains('/')))
            include = include.Replace('/', '\\');
        var line = text.Lines.GetLineFromPosition(start);
        var indentation = text.ToString(TextSpan.FromBounds(line.Start, start));
        var lineEnd = text.ToString(TextSpan.FromBounds(line.End, line.EndIncludingLineBreak));
        var gap = string.IsNullOrWhiteSpace(indentation) ? lineEnd + indentation : "";
        var markup = new XElement("Compile", new XAttribute("Include", include));
        SetText(spec.Path, text.WithChanges(new TextChange(new(start, 0), $"{markup}{gap}")));
        return true;
    }

    private SourceText TextOf(string path)
    {
        if (_files.TryGetValue(path, out var file))
            return file.After;
        var bytes = File.ReadAllBytes(path);
        var text = SourceText.From(new MemoryStream(bytes), checksumAlgorithm: SourceHashAlgorithm.Sha256);
        _files[path] = (Convert.ToHexString(SHA256.HashData(bytes)).ToLowerInvariant(), text, text);
        return text;
    }

    private void SetText(string path, SourceText text) => _files[path] = _files[path] with { After = text };

    /// <summary>Null for a relative path in an imported file, which means another file in each project.</summary>
    private static string? Resolve(string file, string include, bool isProject)
    {
        var relative = include.StartsWith(ThisFolder, StringComparison.OrdinalIgnoreCase) ? include[ThisFolder.Length..] : isProject ? include : null;
        return relative is null ? null : Path.GetFullPath(relative.Replace('\\', '/'), Path.GetDirectoryName(file)!);
    }

    /// <summary>The items that include files. An item with a list or a wildcard names none of them.</summary>
    private static IEnumerable<CompileItem> ItemsOf(SourceText text)
    {
        foreach (var item in Parse(text).Descendants().Where(one => one.Name.LocalName == "Compile" && one.Attribute("Include") is not null))
        {
            var attributes = item.Attributes().Where(one => one.Name.LocalName is "Include" or "Link").Select(one => SpanOf(text, one)).ToList();
            var isConditional = item.AncestorsAndSelf().Any(one => one.Attribute("Condition") is not null || one.Name.LocalName is "Otherwise" or "Target");
            yield return new(item.Attribute("Include")!.Value.Trim(), PositionOf(text, item) - 1, isConditional, attributes);
        }
    }

    private static XDocument Parse(SourceText text)
    {
        try
        {
            return XDocument.Parse(text.ToString(), LoadOptions.SetLineInfo | LoadOptions.PreserveWhitespace);
        }
        catch (XmlException)
        {
            return new();
        }
    }

    private static int PositionOf(SourceText text, IXmlLineInfo place) => text.Lines[place.LineNumber - 1].Start + place.LinePosition - 1;

    /// <summary>The value between the quotation marks.</summary>
    private static TextSpan SpanOf(SourceText text, XAttribute attribute)
    {
        var all = text.ToString();
        var start = all.IndexOfAny(['"', '\''], PositionOf(text, attribute)) + 1;
        return TextSpan.FromBounds(start, all.IndexOf(all[start - 1], start));
    }

    /// <param name="Attributes">Places of the values that can have the name of the file.</param>
    private sealed record CompileItem(string Include, int Start, bool IsConditional, IReadOnlyList<TextSpan> Attributes);
}
