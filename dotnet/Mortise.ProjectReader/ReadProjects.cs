using System.Text.Json;
using Microsoft.Build.Framework;

namespace Mortise.ProjectReader;

/// <summary>
/// Evaluates projects in this MSBuild process, and runs no target, task or logger of any. The request and the result
/// are JSON files: see <see cref="ReadRequest"/> and <see cref="ProjectResult"/>.
/// </summary>
public sealed class ReadProjects : ITask
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web);

    public IBuildEngine? BuildEngine { get; set; }

    public ITaskHost? HostObject { get; set; }

    [Required]
    public string Request { get; set; } = "";

    [Required]
    public string Result { get; set; } = "";

    public bool Execute()
    {
        var request = JsonSerializer.Deserialize<ReadRequest>(File.ReadAllBytes(Request), Json)!;
        var results = new ProjectEvaluator(request).EvaluateAll(Path.GetDirectoryName(Path.GetFullPath(Result))!);
        if (request.Solution is not null)
            results = results with { SolutionError = SolutionLoader.FindError(request.Solution) };
        File.WriteAllBytes(Result, JsonSerializer.SerializeToUtf8Bytes(results, Json));
        return true;
    }
}
