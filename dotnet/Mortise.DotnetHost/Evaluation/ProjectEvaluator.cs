using System.Collections.Concurrent;
using Microsoft.Build.Construction;
using Microsoft.Build.Definition;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Evaluation.Context;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// Evaluates the projects of a request, several at a time. A file that several of them import is parsed once. The threads
/// that evaluate have given up the right to write.
/// </summary>
internal sealed class ProjectEvaluator(ReadRequest request, CancellationToken cancellation)
{
    /// <summary>The size of a main thread's stack, because conditions and imports can be nested deeply.</summary>
    private const int StackBytes = 8 << 20;

    private readonly EvaluationContext _context = EvaluationContext.Create(EvaluationContext.SharingPolicy.Shared);
    private readonly FileJudge _judge = CreateJudge(request.PackagesFolder);
    private readonly ConcurrentBag<string> _files = [];
    private RefusedFile? _refused;

    /// <summary>
    /// Evaluates all projects. A broken project is a result with an error, and does not affect the others. A refused file
    /// ends the evaluation of all.
    /// </summary>
    /// <param name="folder">A folder that only this process uses, for a test of the guard and for temporary files.</param>
    public ReadResult EvaluateAll(string folder)
    {
        AssertImportsAreReported(folder);
        // NuGet's resolver of SDKs locks a file in this folder before it searches the packages folder.
        var scratch = Directory.CreateDirectory(Path.Combine(folder, "scratch")).FullName;
        Environment.SetEnvironmentVariable("NUGET_SCRATCH", scratch);
        return EvaluateProjects(scratch);
    }

    private static FileJudge CreateJudge(string packagesFolder)
    {
        using var collection = new ProjectCollection();
        var sdk = collection.GetToolset(collection.DefaultToolsVersion).ToolsPath;
        var root = Path.GetFullPath(Path.Combine(sdk, "..", ".."));
        return new FileJudge(root, new SdkPackages(sdk, packagesFolder));
    }

    /// <summary>
    /// Asserts that MSBuild reports an import before it evaluates the file, because the guard depends on that. The imported
    /// file of this test reads a variable that is set when the import is reported.
    /// </summary>
    private static void AssertImportsAreReported(string folder)
    {
        var (project, imported) = (Path.Combine(folder, "probe.proj"), Path.Combine(folder, "probe.props"));
        File.WriteAllText(project, """<Project><Import Project="probe.props" /></Project>""");
        File.WriteAllText(imported, $"""
            <Project><PropertyGroup><A>$([System.Environment]::GetEnvironmentVariable('{ImportProbe.Variable}'))</A></PropertyGroup></Project>
            """);
        Environment.SetEnvironmentVariable(ImportProbe.Variable, null);
        using var collection = NewCollection(new ImportProbe());
        var instance = ProjectInstance.FromFile(project, new ProjectOptions { ProjectCollection = collection });
        if (instance.GetPropertyValue("A") != ImportProbe.Reported)
            throw new NotSupportedException("This MSBuild does not report imports before it evaluates them.");
    }

    private ReadResult EvaluateProjects(string scratch)
    {
        var results = new ProjectResult[request.Projects.Count];
        var next = -1;
        var threads = Enumerable.Range(0, Math.Min(results.Length, Environment.ProcessorCount))
            .Select(_ => new Thread(EvaluateNext, StackBytes))
            .ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        ForgetFiles();
        cancellation.ThrowIfCancellationRequested();
        return _refused is null ? new(results, Refused: null) : new(Projects: null, _refused);

        void EvaluateNext()
        {
            Landlock.GiveUpWriting(exceptIn: scratch);
            while (_refused is null && !cancellation.IsCancellationRequested && Interlocked.Increment(ref next) is var index && index < results.Length)
                results[index] = Evaluate(request.Projects[index]);
        }
    }

    private ProjectResult Evaluate(RequestedProject project)
    {
        var guard = new ImportGuard(_judge, project.Path);
        var result = Evaluate(project, guard);
        _files.Add(FileBasedApp.ProjectPath(project.Path));
        foreach (var path in guard.Reported.Where(path => !_judge.IsOfSdk(path)))
            _files.Add(path);
        if (guard.Refused is not null)
            _refused = guard.Refused.Path == FileBasedApp.ProjectPath(project.Path) ? guard.Refused with { Path = project.Path } : guard.Refused;
        return result;
    }

    /// <summary>
    /// Makes the next evaluation read all files again, except for those of the SDK. MSBuild keeps parsed files for the whole
    /// process, compares only their times, and would keep a refused file empty.
    /// </summary>
    private void ForgetFiles()
    {
        using var collection = NewCollection(new ImportProbe());
        foreach (var path in _files.Distinct(StringComparer.Ordinal))
        {
            try
            {
                if (ProjectRootElement.TryOpen(path, collection) is { } file)
                    collection.TryUnloadProject(file);
            }
            catch (Exception error) when (error is InvalidProjectFileException or IOException or UnauthorizedAccessException)
            {
                // A file that cannot be parsed is not kept.
            }
        }
    }

    private ProjectResult Evaluate(RequestedProject project, ImportGuard guard)
    {
        using var collection = NewCollection(guard);
        guard.Collection = collection;
        try
        {
            var file = FileBasedApp.Is(project.Path) ? FileBasedApp.Open(project.Path, collection) : ProjectRootElement.Open(project.Path, collection);
            guard.Check(file);
            var outer = Evaluate(file, project, framework: null, collection);
            var inner = Frameworks(outer).Select(framework => Evaluate(file, project, framework, collection));
            var evaluations = inner.Prepend(outer).ToList();
            var imports = evaluations.SelectMany(evaluation => evaluation.ImportPaths).Distinct().ToList();
            guard.CheckReported(imports);
            return new(project.Path, [.. evaluations.Select(Read)], [project.Path, .. imports.Where(path => !_judge.IsOfSdk(path))], Error: null);
        }
        catch (InvalidProjectFileException error)
        {
            return Failed(project, new(error.ErrorCode, error.BaseMessage, error.ProjectFile, error.LineNumber, error.ColumnNumber));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidOperationException or NotSupportedException)
        {
            return Failed(project, new(Code: null, error.Message, project.Path, Line: 0, Column: 0));
        }
    }

    private static ProjectCollection NewCollection(ILogger logger) => new(
        globalProperties: null,
        loggers: [logger],
        remoteLoggers: null,
        ToolsetDefinitionLocations.Default,
        maxNodeCount: 1,
        onlyLogCriticalEvents: false,
        loadProjectsReadOnly: false,
        useAsynchronousLogging: false,
        reuseProjectRootElementCache: true);

    private static ProjectResult Failed(RequestedProject project, ProjectError error) => new(project.Path, [], [project.Path], error);

    private ProjectInstance Evaluate(
        ProjectRootElement file, RequestedProject project, string? framework, ProjectCollection collection)
    {
        var properties = new Dictionary<string, string>(project.GlobalProperties, StringComparer.OrdinalIgnoreCase);
        if (framework is not null)
            properties["TargetFramework"] = framework;
        return ProjectInstance.FromProjectRootElement(file, new ProjectOptions
        {
            GlobalProperties = properties,
            ProjectCollection = collection,
            EvaluationContext = _context,
            LoadSettings = ProjectLoadSettings.DoNotEvaluateElementsWithFalseCondition,
        });
    }

    /// <summary>Returns the target frameworks; none for a project that is not multi-targeted.</summary>
    private static IEnumerable<string> Frameworks(ProjectInstance outer) =>
        outer.GetPropertyValue("TargetFramework") != ""
            ? []
            : outer.GetPropertyValue("TargetFrameworks")
                .Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                .Distinct(StringComparer.OrdinalIgnoreCase);

    private EvaluationResult Read(ProjectInstance project) => new(
        project.GetPropertyValue("TargetFramework"),
        request.Properties.ToDictionary(name => name, project.GetPropertyValue),
        request.ItemTypes.ToDictionary(type => type, type => ReadItems(project, type)));

    private IReadOnlyList<ItemResult> ReadItems(ProjectInstance project, string type)
    {
        var items = project.GetItems(type);
        if (request.OmitsUnusedVersions && string.Equals(type, "PackageVersion", StringComparison.OrdinalIgnoreCase))
            items = OfReferencedPackages(project, items);
        return items.Select(Read).ToList();
    }

    /// <summary>Keeps the versions that the project uses: a large repository has hundreds of central versions.</summary>
    private static ICollection<ProjectItemInstance> OfReferencedPackages(
        ProjectInstance project, IEnumerable<ProjectItemInstance> versions)
    {
        var names = project.GetItems("PackageReference").Select(item => item.EvaluatedInclude);
        var referenced = new HashSet<string>(names, StringComparer.OrdinalIgnoreCase);
        return versions.Where(version => referenced.Contains(version.EvaluatedInclude)).ToList();
    }

    private static ItemResult Read(ProjectItemInstance item) => new(
        item.EvaluatedInclude,
        item.GetMetadataValue("FullPath"),
        item.Metadata.ToDictionary(metadata => metadata.Name, metadata => metadata.EvaluatedValue));
}
