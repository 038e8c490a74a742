using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>The specs of the projects of a request and of the projects that they reference.</summary>
/// <param name="Notes">Projects that do not load.</param>
internal sealed record LoadedProjects(IReadOnlyList<ProjectSpec> Specs, IReadOnlyList<string> Notes);

/// <summary>Evaluates projects, and again only those whose inputs changed.</summary>
internal sealed class ProjectLoader(string sdk, Evaluations evaluations)
{
    /// <summary>Projects that are evaluated before the next progress, and before a cancelled load ends.</summary>
    private const int ChunkSize = 8;

    private readonly Dictionary<string, Loaded> _loaded = new(StringComparer.Ordinal);

    private sealed record Loaded(
        IReadOnlyList<ProjectSpec> Specs,
        IReadOnlyList<string> Imports,
        string AssetsFile,
        IReadOnlyList<string> GeneratedFolders,
        string Fingerprint,
        string? Error);

    public LoadedProjects Load(CodeRequest request, Action<string> progress, CancellationToken cancellation)
    {
        var wanted = request.Projects.ToDictionary(project => project.Path, project => project.GlobalProperties);
        var all = new List<Loaded>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        var next = wanted.Keys.ToList();
        while (next.Count > 0)
        {
            cancellation.ThrowIfCancellationRequested();
            seen.UnionWith(next);
            var batch = LoadBatch(request, next, wanted, count => progress($"{all.Count + count} of {seen.Count} projects"), cancellation);
            all.AddRange(batch);
            next = batch.SelectMany(one => one.Specs).SelectMany(spec => spec.ProjectReferences)
                .Select(reference => reference.Path).Distinct().Where(path => !seen.Contains(path)).ToList();
        }
        return new([.. all.SelectMany(one => one.Specs)], [.. all.Select(one => one.Error).OfType<string>()]);
    }

    private List<Loaded> LoadBatch(
        CodeRequest request,
        List<string> paths,
        Dictionary<string, IReadOnlyDictionary<string, string>> globals,
        Action<int> progress,
        CancellationToken cancellation)
    {
        var stale = paths.AsParallel().Where(path => !IsCurrent(request, path)).ToList();
        var done = paths.Count - stale.Count;
        foreach (var chunk in stale.Chunk(ChunkSize))
        {
            cancellation.ThrowIfCancellationRequested();
            Evaluate(request, chunk, globals, cancellation);
            progress(done += chunk.Length);
        }
        return paths.ConvertAll(path => _loaded[path]);
    }

    private bool IsCurrent(CodeRequest request, string path) =>
        _loaded.TryGetValue(path, out var loaded) && loaded.Fingerprint == FingerprintOf(request, path, loaded);

    private string FingerprintOf(CodeRequest request, string path, Loaded loaded) => ProjectInputs.Fingerprint(
        path,
        loaded.Imports,
        loaded.AssetsFile,
        loaded.Specs.SelectMany(spec => spec.Documents),
        loaded.GeneratedFolders,
        request.PackagesFolder);

    private void Evaluate(
        CodeRequest request,
        IReadOnlyList<string> paths,
        Dictionary<string, IReadOnlyDictionary<string, string>> globals,
        CancellationToken cancellation)
    {
        var none = new Dictionary<string, string>();
        var projects = paths.Select(path => new RequestedProject(path, globals.GetValueOrDefault(path, none))).ToList();
        var read = new ReadRequest(projects, ProjectFacts.Properties, ProjectFacts.ItemTypes, request.PackagesFolder);
        var result = evaluations.EvaluateAsync(read, cancellation).GetAwaiter().GetResult();
        if (result.Refused is { } refused)
            throw new CodeException("refused", $"{refused.Path}{(refused.Line > 0 ? $"({refused.Line})" : "")} has {refused.What}. An action that only reads evaluates no file that could change something or download a program.", "Read the file. If you trust it, use Build, which evaluates it as the raw CLI does; else remove the line.");
        foreach (var project in result.Projects!)
            _loaded[project.Path] = LoadedFrom(request, project);
    }

    private Loaded LoadedFrom(CodeRequest request, ProjectResult project)
    {
        var inner = project.Evaluations.Count > 1 ? project.Evaluations.Skip(1) : project.Evaluations;
        var facts = inner.Select(evaluation => new ProjectFacts(project.Path, evaluation)).ToList();
        var specs = facts.ConvertAll(one => ProjectSpec.Create(one, project.Files, sdk, request.PackagesFolder, facts.Count > 1, request.RunsGenerators));
        var error = project.Error is { } wrong
            ? $"{Path.GetFileName(project.Path)} does not load: {wrong.Code} {wrong.Message.Trim()}"
            : null;
        if (error is not null && FileBasedApp.Is(project.Path))
            throw new CodeException("notInProject", error, "Correct its directives, or convert it: dotnet project convert.");
        var loaded = new Loaded(
            specs, project.Files, facts.FirstOrDefault()?["ProjectAssetsFile"] ?? "", [.. facts.Select(ProjectSpec.GeneratedFolder).OfType<string>()], "", error);
        // A project that does not load is tried again each time: what it lacks may be anywhere.
        return error is not null ? loaded : loaded with { Fingerprint = FingerprintOf(request, project.Path, loaded) };
    }
}
