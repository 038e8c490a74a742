namespace Mortise.ProjectReader;

/// <summary>What to read of which projects.</summary>
/// <param name="Properties">Names of properties.</param>
/// <param name="ItemTypes">Types of items.</param>
public sealed record ReadRequest(
    IReadOnlyList<RequestedProject> Projects,
    IReadOnlyList<string> Properties,
    IReadOnlyList<string> ItemTypes);

/// <param name="Path">Absolute.</param>
/// <param name="GlobalProperties">Those of its response files, escaped as MSBuild has them.</param>
public sealed record RequestedProject(string Path, IReadOnlyDictionary<string, string> GlobalProperties);

/// <summary>
/// A project with its evaluations: the outer one first, then one for each target framework of a multi-targeted project;
/// or with what is wrong with it.
/// </summary>
public sealed record ProjectResult(string Path, IReadOnlyList<EvaluationResult> Evaluations, ProjectError? Error);

/// <param name="Framework">The property TargetFramework; empty for the outer evaluation.</param>
public sealed record EvaluationResult(
    string Framework,
    IReadOnlyDictionary<string, string> Properties,
    IReadOnlyDictionary<string, IReadOnlyList<ItemResult>> Items);

/// <param name="FullPath">Absolute.</param>
/// <param name="Metadata">Without what every item has.</param>
public sealed record ItemResult(string Include, string FullPath, IReadOnlyDictionary<string, string> Metadata);

/// <param name="Code">Of MSBuild: MSB4236; null where it gives none.</param>
public sealed record ProjectError(string? Code, string Message, string? File, int Line);
