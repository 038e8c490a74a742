namespace Mortise.DotnetHost.Code;

/// <summary>Projects that reference each other. No build accepts them, and Roslyn would wait for itself.</summary>
internal static class ReferenceCircles
{
    /// <summary>Removes each reference that closes a circle, and returns notes that name them.</summary>
    public static List<string> Remove(IReadOnlyDictionary<ProjectSpec, List<ProjectSpec>> references)
    {
        var (notes, visited, path) = (new List<string>(), new HashSet<ProjectSpec>(), new HashSet<ProjectSpec>());
        foreach (var project in references.Keys)
            Visit(project);
        return [.. notes.Distinct()];

        void Visit(ProjectSpec project)
        {
            if (!references.TryGetValue(project, out var referenced) || !visited.Add(project))
                return;
            path.Add(project);
            foreach (var other in referenced.ToList())
            {
                Visit(other);
                if (!path.Contains(other))
                    continue;
                referenced.Remove(other);
                notes.Add($"{Path.GetFileName(project.Path)} references {Path.GetFileName(other.Path)} in a circle, which no build accepts, so this reference is left out. Remove it.");
            }
            path.Remove(project);
        }
    }
}
