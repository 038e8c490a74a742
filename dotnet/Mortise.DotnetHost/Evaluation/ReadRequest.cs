namespace Mortise.DotnetHost.Evaluation;

/// <summary>The projects of a request, and what to read of them.</summary>
/// <param name="Properties">Names of properties.</param>
/// <param name="ItemTypes">Types of items.</param>
/// <param name="PackagesFolder">The user's folder of NuGet packages. SDKs in it need no download.</param>
/// <param name="Solution">A solution to load too, as MSBuild does before it builds; null for none.</param>
/// <param name="OmitsUnusedVersions">True to leave out a PackageVersion unless the project references the package.</param>
public sealed record ReadRequest(
    IReadOnlyList<RequestedProject> Projects,
    IReadOnlyList<string> Properties,
    IReadOnlyList<string> ItemTypes,
    string PackagesFolder,
    bool OmitsUnusedVersions = false,
    string? Solution = null);

/// <param name="Path">The absolute path.</param>
/// <param name="GlobalProperties">The properties in its response files, escaped as for MSBuild.</param>
public sealed record RequestedProject(string Path, IReadOnlyDictionary<string, string> GlobalProperties);

/// <summary>
/// A project with its evaluations, or with its error. The first evaluation is the outer one. For a multi-targeted project,
/// one for each target framework follows.
/// </summary>
/// <param name="Files">The project, and the files outside of the SDK that its evaluations import.</param>
public sealed record ProjectResult(
    string Path,
    IReadOnlyList<EvaluationResult> Evaluations,
    IReadOnlyList<string> Files,
    ProjectError? Error);

/// <param name="Framework">The property TargetFramework; empty for the outer evaluation.</param>
public sealed record EvaluationResult(
    string Framework,
    IReadOnlyDictionary<string, string> Properties,
    IReadOnlyDictionary<string, IReadOnlyList<ItemResult>> Items);

/// <param name="FullPath">The absolute path.</param>
/// <param name="Metadata">The metadata of the item, without the well-known ones that every item has.</param>
public sealed record ItemResult(string Include, string FullPath, IReadOnlyDictionary<string, string> Metadata);

/// <param name="Code">The code of MSBuild, such as MSB4236; null if it gives none.</param>
public sealed record ProjectError(string? Code, string Message, string? File, int Line, int Column);

/// <summary>A file that was not evaluated, because its contents are not allowed.</summary>
/// <param name="Line">0 if it is not known.</param>
/// <param name="What">
/// The part that is not allowed, in words: "the property function [System.IO.Path]::GetTempFileName".
/// </param>
public sealed record RefusedFile(string Path, int Line, string What);

/// <summary>Either the projects, in the order of the request, or the first file that was refused.</summary>
/// <param name="SolutionError">Why MSBuild cannot load the solution of the request; null if it can.</param>
public sealed record ReadResult(
    IReadOnlyList<ProjectResult>? Projects, RefusedFile? Refused, ProjectError? SolutionError = null);
