using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>Collects places, each once, whatever frameworks and projects compile it.</summary>
internal sealed class PlaceList(CodeQuery query)
{
    private const int MaxTextLength = 200;

    private readonly Dictionary<(string, int, int), (Place Place, List<Project> Projects)> _places = [];

    public async Task AddAsync(Document document, Location location, string? kind = null, string? member = null, string? usedMember = null, int? depth = null)
    {
        var (path, line, column, _) = Locations.Of(location.GetMappedLineSpan());
        if (_places.TryGetValue((path, line, column), out var known))
        {
            known.Projects.Add(document.Project);
            return;
        }
        var root = (await document.GetSyntaxRootAsync(query.Cancellation))!;
        var node = root.FindNode(location.SourceSpan, findInsideTrivia: true, getInnermostNodeForTie: true);
        var text = await document.GetTextAsync(query.Cancellation);
        var isMapped = path != document.FilePath;
        var place = new Place(
            path, line, column,
            Shortened(isMapped ? LineOf(path, line) : text.Lines.GetLineFromPosition(location.SourceSpan.Start).ToString(), column),
            member ?? Locations.MemberAround(node),
            kind ?? ReferenceKind.Of(node),
            query.ProjectNameOf(document.Project),
            usedMember,
            IsGenerated: Locations.IsGenerated(path) ? true : null,
            Depth: depth);
        _places[(path, line, column)] = (place, [document.Project]);
    }

    private static string LineOf(string path, int line) =>
        File.Exists(path) ? File.ReadLines(path).ElementAtOrDefault(line - 1) ?? "" : "";

    /// <summary>The part of a long line around the column.</summary>
    private static string Shortened(string line, int column)
    {
        if (line.Length <= MaxTextLength)
            return line.Trim();
        var start = Math.Clamp(column - MaxTextLength / 2, 0, line.Length - MaxTextLength);
        return $"{(start > 0 ? "…" : "")}{line.Substring(start, MaxTextLength).Trim()}{(start + MaxTextLength < line.Length ? "…" : "")}";
    }

    public IReadOnlyList<Place> ToList() => _places.Values
        .Select(one => WithProjects(one.Place, one.Projects))
        .OrderBy(place => place.Path, StringComparer.Ordinal).ThenBy(place => place.Line).ThenBy(place => place.Column)
        .ToList();

    private Place WithProjects(Place place, List<Project> projects)
    {
        var others = projects.Select(query.ProjectNameOf).Distinct().Where(name => name != place.Project).Order(StringComparer.Ordinal).ToList();
        var frameworks = projects.Where(project => query.ProjectNameOf(project) == place.Project).Select(project => query.SpecOf(project)).ToList();
        var all = query.Snapshot.Specs.Values.Count(spec => spec.Path == frameworks[0].Path);
        var some = frameworks.Select(spec => spec.Framework).Distinct().ToList();
        return place with
        {
            OtherProjects = others.Count == 0 ? null : others,
            Frameworks = some.Count == all ? null : some,
        };
    }

    public PageWithCounts Page()
    {
        var all = ToList();
        var page = Code.Page<Place>.Of(all, query.Request);
        return new(page, all.CountBy(place => place.Project));
    }

    internal sealed record PageWithCounts(Page<Place> Page, IReadOnlyDictionary<string, int> Counts);
}

internal static class Counting
{
    public static IReadOnlyDictionary<string, int> CountBy<T>(this IEnumerable<T> items, Func<T, string> key) =>
        items.GroupBy(key).ToDictionary(group => group.Key, group => group.Count());
}
