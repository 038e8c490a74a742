using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Host.Mef;
using Microsoft.CodeAnalysis.Text;
using Mortise.DotnetHost.Code.Edits;
using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>What a query sees: a Roslyn solution as the disk was when the query began.</summary>
/// <param name="Specs">By project; a project for each framework.</param>
internal sealed record CodeSnapshot(
    Solution Solution, IReadOnlyDictionary<ProjectId, ProjectSpec> Specs, IReadOnlyList<string> Notes)
{
    public IReadOnlyList<string> WithheldGenerators =>
        [.. Specs.Values.SelectMany(spec => spec.WithheldGenerators).Distinct().Order(StringComparer.Ordinal)];
}

/// <summary>
/// The projects of a solution or project as a Roslyn solution, which follows the disk: changed documents are replaced, new
/// and deleted ones follow from another evaluation, and any other change of a project makes a new solution.
/// </summary>
internal sealed class CodeWorkspace(string sdk, Evaluations evaluations)
{
    private static readonly MefHostServices Host = MefHostServices.Create(
    [
        typeof(Workspace).Assembly,
        System.Reflection.Assembly.Load("Microsoft.CodeAnalysis.CSharp.Workspaces"),
        .. FixProviders.Assemblies,
    ]);

    private readonly ProjectLoader _loader = new(sdk, evaluations);
    private readonly SourceFiles _files = new();
    private readonly SemaphoreSlim _refreshing = new(1);
    private AdhocWorkspace? _workspace;
    private CodeSnapshot? _snapshot;

    /// <summary>The assemblies that projects in other languages had when the Roslyn solution was made.</summary>
    private string _otherOutputs = "";

    /// <summary>Notes about references that the Roslyn solution leaves out.</summary>
    private List<string> _circles = [];

    public async Task<CodeSnapshot> RefreshAsync(CodeRequest request, Action<string> progress, CancellationToken cancellation)
    {
        await _refreshing.WaitAsync(cancellation);
        try
        {
            return _snapshot = Refresh(request, progress, cancellation);
        }
        finally
        {
            _refreshing.Release();
        }
    }

    private CodeSnapshot Refresh(CodeRequest request, Action<string> progress, CancellationToken cancellation)
    {
        var loaded = _loader.Load(request, progress, cancellation);
        var specs = loaded.Specs.Where(IsCSharp).ToList();
        var files = specs.SelectMany(spec => spec.Documents.Concat(spec.AdditionalFiles).Concat(spec.ConfigFiles)).Distinct();
        var changed = _files.Refresh(files, cancellation);
        var otherOutputs = OtherOutputs(loaded.Specs);
        if (_snapshot is null || otherOutputs != _otherOutputs || !HaveSameShape(_snapshot, specs))
        {
            _otherOutputs = otherOutputs;
            return Create(specs, loaded, cancellation);
        }
        var solution = WithDocuments(_snapshot, specs);
        foreach (var path in changed)
            solution = WithText(solution, path, _files.Get(path));
        var byKey = specs.ToDictionary(KeyOf);
        var ids = _snapshot.Specs.ToDictionary(pair => pair.Key, pair => byKey[KeyOf(pair.Value)]);
        return new(solution, ids, NotesOf(loaded, specs));
    }

    private static bool IsCSharp(ProjectSpec spec) => FileBasedApp.ProjectPath(spec.Path).EndsWith(".csproj", StringComparison.OrdinalIgnoreCase);

    private static string OtherOutputs(IEnumerable<ProjectSpec> specs) => string.Join('\n', specs
        .Where(spec => !IsCSharp(spec))
        .Select(spec => new FileInfo(spec.TargetPath))
        .Select(file => file.Exists ? $"{file.FullName} {file.LastWriteTimeUtc.Ticks} {file.Length}" : file.FullName));

    private static string KeyOf(ProjectSpec spec) => $"{spec.Path}\n{spec.Framework}";

    private static bool HaveSameShape(CodeSnapshot snapshot, List<ProjectSpec> specs) => snapshot.Specs.Values
        .ToDictionary(KeyOf, spec => spec.ShapeKey)
        is var shapes && shapes.Count == specs.Count
        && specs.TrueForAll(spec => shapes.TryGetValue(KeyOf(spec), out var shape) && shape == spec.ShapeKey);

    private CodeSnapshot Create(List<ProjectSpec> specs, LoadedProjects loaded, CancellationToken cancellation)
    {
        var ids = specs.ToDictionary(spec => spec, _ => ProjectId.CreateNewId());
        var referenced = specs.ToDictionary(spec => spec, spec => spec.ProjectReferences
            .Select(reference => Referenced(reference, spec, loaded.Specs)).OfType<ProjectSpec>().Distinct().ToList());
        _circles = ReferenceCircles.Remove(referenced);
        var infos = specs.ConvertAll(spec => InfoOf(spec, ids, referenced[spec]));
        cancellation.ThrowIfCancellationRequested();
        _workspace?.Dispose();
        _workspace = new AdhocWorkspace(Host);
        var solution = _workspace.AddSolution(SolutionInfo.Create(SolutionId.CreateNewId(), VersionStamp.Create(), projects: infos));
        return new(solution, ids.ToDictionary(pair => pair.Value, pair => pair.Key), NotesOf(loaded, specs));
    }

    private List<string> NotesOf(LoadedProjects loaded, List<ProjectSpec> specs)
    {
        var unbuilt = loaded.Specs
            .Where(spec => !IsCSharp(spec) && !File.Exists(spec.TargetPath))
            .Select(spec => $"{Path.GetFileName(spec.Path)} is not C# and not built, so its types are missing. Call Build.");
        return [.. loaded.Notes, .. specs.SelectMany(spec => spec.Notes).Concat(unbuilt).Distinct(), .. _circles];
    }

    private ProjectInfo InfoOf(ProjectSpec spec, Dictionary<ProjectSpec, ProjectId> ids, List<ProjectSpec> referenced)
    {
        var id = ids[spec];
        var (compilation, parse) = CompilerOptions.Of(spec.Arguments, spec.Folder);
        var outputs = referenced.Where(one => !IsCSharp(one) && File.Exists(one.TargetPath)).Select(one => one.TargetPath);
        return ProjectInfo.Create(
            id,
            VersionStamp.Create(),
            spec.IsMultiTargeted ? $"{spec.Name} ({spec.Framework})" : spec.Name,
            spec.AssemblyName,
            LanguageNames.CSharp,
            filePath: spec.Path,
            compilationOptions: compilation,
            parseOptions: parse,
            documents: spec.Documents.Select(path => DocumentOf(id, path)).Concat(GeneratedDocuments(id, spec)),
            projectReferences: referenced.Where(ids.ContainsKey).Select(one => new ProjectReference(ids[one])),
            metadataReferences: spec.References.Concat(outputs).Where(File.Exists).Select(MetadataFiles.Get),
            analyzerReferences: spec.Generators.Select(GeneratorAssemblies.Get),
            additionalDocuments: spec.AdditionalFiles.Select(path => DocumentOf(id, path)))
            .WithAnalyzerConfigDocuments([.. spec.ConfigFiles.Select(path => DocumentOf(id, path)), GlobalConfig(id, spec)]);
    }

    /// <summary>The framework that NuGet chose, else the same one, else the first.</summary>
    private static ProjectSpec? Referenced(AssetsProject reference, ProjectSpec by, IReadOnlyList<ProjectSpec> all)
    {
        var candidates = all.Where(spec => spec.Path == reference.Path).ToList();
        return candidates.Find(spec => spec.FrameworkName == reference.Framework)
            ?? candidates.Find(spec => spec.Framework == by.Framework)
            ?? candidates.FirstOrDefault();
    }

    private DocumentInfo DocumentOf(ProjectId project, string path) => Document(project, path, _files.Get(path));

    private static DocumentInfo Document(ProjectId project, string path, SourceText text) => DocumentInfo.Create(
        DocumentId.CreateNewId(project),
        Path.GetFileName(path),
        loader: TextLoader.From(TextAndVersion.Create(text, VersionStamp.Create(), path)),
        filePath: path);

    /// <summary>They have paths in a folder that does not exist, which marks them as generated.</summary>
    private static IEnumerable<DocumentInfo> GeneratedDocuments(ProjectId project, ProjectSpec spec) => spec.Generated
        .Select(one => Document(project, Path.Combine(spec.Folder, "obj", spec.Framework, one.Name), SourceText.From(one.Text)));

    /// <summary>What the target GenerateMSBuildEditorConfigFile writes for generators.</summary>
    private static DocumentInfo GlobalConfig(ProjectId project, ProjectSpec spec)
    {
        var lines = spec.VisibleProperties.Select(pair => $"build_property.{pair.Key} = {pair.Value}");
        var files = spec.AdditionalFiles.Select(path => $"[{path.Replace('\\', '/')}]\nbuild_metadata.AdditionalFiles.TargetPath = {Encoded(Path.GetRelativePath(spec.Folder, path))}");
        var text = string.Join('\n', ["is_global = true", .. lines, .. files]);
        return Document(project, Path.Combine(spec.Folder, "obj", spec.Framework, "build.globalconfig"), SourceText.From(text));
    }

    private static string Encoded(string path) => Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(path));

    private Solution WithDocuments(CodeSnapshot snapshot, List<ProjectSpec> specs)
    {
        var solution = snapshot.Solution;
        var byKey = specs.ToDictionary(KeyOf);
        foreach (var (id, old) in snapshot.Specs)
        {
            var spec = byKey[KeyOf(old)];
            if (old.Documents.SequenceEqual(spec.Documents))
                continue;
            var deleted = old.Documents.Except(spec.Documents).ToHashSet();
            var gone = solution.GetProject(id)!.Documents.Where(document => deleted.Contains(document.FilePath!)).Select(document => document.Id);
            solution = solution.RemoveDocuments([.. gone]);
            solution = solution.AddDocuments([.. spec.Documents.Except(old.Documents).Select(path => DocumentOf(id, path))]);
        }
        return solution;
    }

    private static Solution WithText(Solution solution, string path, SourceText text)
    {
        foreach (var id in solution.GetDocumentIdsWithFilePath(path))
        {
            if (solution.GetDocument(id) is not null)
                solution = solution.WithDocumentText(id, text);
            else if (solution.GetAdditionalDocument(id) is not null)
                solution = solution.WithAdditionalDocumentText(id, text);
            else
                solution = solution.WithAnalyzerConfigDocumentText(id, text);
        }
        return solution;
    }
}
