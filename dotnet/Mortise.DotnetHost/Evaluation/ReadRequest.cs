namespace Mortise.DotnetHost.Evaluation;

/// <summary>What to read of which projects.</summary>
/// <param name="Properties">Names of properties.</param>
/// <param name="ItemTypes">Types of items.</param>
/// <param name="PackagesFolder">The user's folder of NuGet packages; SDKs in it need no download.</param>
/// <param name="Solution">A solution to load too, as MSBuild does before it builds; null for none.</param>
/// <param name="OmitsUnusedVersions">Whether a PackageVersion is only an item if the project references the package.</param>
public sealed record ReadRequest(
    IReadOnlyList<RequestedProject> Projects,
    IReadOnlyList<string> Properties,
    IReadOnlyList<string> ItemTypes,
    string PackagesFolder,
    bool OmitsUnusedVersions = false,
    string? Solution = null);

/// <param name="Path">Absolute.</param>
/// <param name="GlobalProperties">Those of its response files, escaped as MSBuild has them.</param>
public sealed record RequestedProject(string Path, IReadOnlyDictionary<string, string> GlobalProperties);

/// <summary>
/// A project with its evaluations: the outer one first, then one for each target framework of a multi-targeted project;
/// or with what is wrong with it.
/// </summary>
/// <param name="Files">The project, and what its evaluations import outside of the SDK.</param>
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

/// <param name="FullPath">Absolute.</param>
/// <param name="Metadata">Without what every item has.</param>
public sealed record ItemResult(string Include, string FullPath, IReadOnlyDictionary<string, string> Metadata);

/// <param name="Code">Of MSBuild: MSB4236; null where it gives none.</param>
public sealed record ProjectError(string? Code, string Message, string? File, int Line, int Column);

/// <summary>A file that was not evaluated, because of what is in it.</summary>
/// <param name="Line">0 if it is not known.</param>
/// <param name="What">As part of a sentence: the property function [System.IO.Path]::GetTempFileName.</param>
public sealed record RefusedFile(string Path, int Line, string What);

/// <summary>Either the projects, in the order of the request, or the first file that was refused.</summary>
/// <param name="SolutionError">Why MSBuild cannot load the solution of the request; null if it can.</param>
public sealed record ReadResult(
    IReadOnlyList<ProjectResult>? Projects, RefusedFile? Refused, ProjectError? SolutionError = null);
