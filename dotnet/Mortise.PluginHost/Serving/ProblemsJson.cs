using System.Text.Json.Nodes;
using Mortise.PluginHost.Loading;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// Writes the problems of a plugin as the JSON that Mortise reads from <c>_meta</c> of <c>tools/list</c>.
/// </summary>
internal static class ProblemsJson
{
    public const string Key = "mortise/problems";

    public static JsonArray From(IEnumerable<Problem> problems) => new([.. problems.Select(ToJson)]);

    private static JsonNode ToJson(Problem problem)
    {
        var location = new JsonObject();
        if (problem.Subject is not null)
        {
            location["subject"] = problem.Subject;
        }
        if (problem.Place is { } place)
        {
            location["file"] = place.File;
            location["line"] = place.Line;
        }
        return new JsonObject
        {
            ["severity"] = problem.IsWarning ? "warning" : "error",
            ["code"] = problem.Code,
            ["message"] = problem.Message,
            ["hint"] = problem.Hint,
            ["location"] = location,
        };
    }
}
