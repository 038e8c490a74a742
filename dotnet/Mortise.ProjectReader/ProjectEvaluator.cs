using Microsoft.Build.Definition;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Evaluation.Context;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;

namespace Mortise.ProjectReader;

/// <summary>Evaluates the projects of a request, several at a time; what they import in common is parsed once.</summary>
internal sealed class ProjectEvaluator(ReadRequest request)
{
    private readonly EvaluationContext _context = EvaluationContext.Create(EvaluationContext.SharingPolicy.Shared);

    /// <summary>In the order of the request. A broken project is a result with an error, and spoils no other.</summary>
    public IReadOnlyList<ProjectResult> EvaluateAll()
    {
        using var collection = new ProjectCollection();
        var results = new ProjectResult[request.Projects.Count];
        Parallel.For(0, results.Length, index => results[index] = Evaluate(request.Projects[index], collection));
        return results;
    }

    private ProjectResult Evaluate(RequestedProject project, ProjectCollection collection)
    {
        try
        {
            var outer = Evaluate(project, framework: null, collection);
            var evaluations = Frameworks(outer).Select(framework => Evaluate(project, framework, collection));
            return new(project.Path, [Read(outer), .. evaluations.Select(Read)], Error: null);
        }
        catch (InvalidProjectFileException error)
        {
            return new(project.Path, [], new(error.ErrorCode, error.BaseMessage, error.ProjectFile, error.LineNumber));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidOperationException)
        {
            return new(project.Path, [], new(Code: null, error.Message, project.Path, Line: 0));
        }
    }

    private ProjectInstance Evaluate(RequestedProject project, string? framework, ProjectCollection collection)
    {
        var properties = new Dictionary<string, string>(project.GlobalProperties, StringComparer.OrdinalIgnoreCase);
        if (framework is not null)
            properties["TargetFramework"] = framework;
        return ProjectInstance.FromFile(project.Path, new ProjectOptions
        {
            GlobalProperties = properties,
            ProjectCollection = collection,
            EvaluationContext = _context,
            LoadSettings = ProjectLoadSettings.DoNotEvaluateElementsWithFalseCondition,
        });
    }

    /// <summary>None for a project that is not multi-targeted.</summary>
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

    private static IReadOnlyList<ItemResult> ReadItems(ProjectInstance project, string type)
    {
        var items = project.GetItems(type);
        if (string.Equals(type, "PackageVersion", StringComparison.OrdinalIgnoreCase))
            items = OfReferencedPackages(project, items);
        return items.Select(Read).ToList();
    }

    /// <summary>A large repository has hundreds of central versions, for each project.</summary>
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
