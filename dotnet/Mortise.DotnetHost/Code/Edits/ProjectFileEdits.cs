using System.Security.Cryptography;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;
using Microsoft.CodeAnalysis.Text;

namespace Mortise.DotnetHost.Code.Edits;

/// <summary>Changes of project files that name their C# files in <c>Compile</c> items. All other text stays.</summary>
internal sealed class ProjectFileEdits
{
    private readonly SortedDictionary<string, (string Hash, SourceText Before, SourceText After)> _files = new(StringComparer.Ordinal);

    public IEnumerable<FileEdit> Edits => _files.Where(pair => pair.Value.After != pair.Value.Before).Select(pair =>
    {
        var (hash, before, after) = pair.Value;
        return new FileEdit(pair.Key, null, hash, UnifiedDiff.Of(before, after, after.GetTextChanges(before)), after.ToString());
    });

    /// <summary>Gives a file another name in the items of all these projects, or of none.</summary>
    /// <returns>The project file that names the file anywhere else; null after the change.</returns>
    public string? Rename(IReadOnlyList<string> projects, string path, string newName)
    {
        var changed = new List<(string Project, SourceText Text)>();
        foreach (var project in projects)
        {
            if (Renamed(project, path, newName) is not { } text)
                return project;
            changed.Add((project, text));
        }
        foreach (var (project, text) in changed)
            SetText(project, text);
        return null;
    }

    private SourceText? Renamed(string project, string path, string newName)
    {
        var text = TextOf(project);
        var name = new Regex($@"(?<![\w.-]){Regex.Escape(Path.GetFileName(path))}(?![\w.-])", RegexOptions.IgnoreCase);
        var changes = ItemsOf(text).Where(item => Resolve(project, item.Include) == path)
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
        var named = items.Select(item => Resolve(spec.Path, item.Include)).ToHashSet();
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

    private SourceText TextOf(string project)
    {
        if (_files.TryGetValue(project, out var file))
            return file.After;
        var bytes = File.ReadAllBytes(project);
        var text = SourceText.From(new MemoryStream(bytes), checksumAlgorithm: SourceHashAlgorithm.Sha256);
        _files[project] = (Convert.ToHexString(SHA256.HashData(bytes)).ToLowerInvariant(), text, text);
        return text;
    }

    private void SetText(string project, SourceText text) => _files[project] = _files[project] with { After = text };

    private static string Resolve(string project, string include) =>
        Path.GetFullPath(include.Replace('\\', '/'), Path.GetDirectoryName(project)!);

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
