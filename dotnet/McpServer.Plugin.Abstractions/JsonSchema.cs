using System.Text.Json.Serialization;

namespace McpServer.Protocol;

/// <summary>The JSON Schema of a tool's arguments. Members that are null are not sent.</summary>
public class JsonSchema
{
    /// <summary>Always "object" for the arguments of a tool.</summary>
    [JsonPropertyName("type")]
    public string Type { get; set; } = "object";

    /// <summary>The arguments by name.</summary>
    [JsonPropertyName("properties")]
    public Dictionary<string, JsonSchemaProperty> Properties { get; set; } = null!;

    /// <summary>The names of the arguments that a call must have.</summary>
    [JsonPropertyName("required")]
    public List<string> Required { get; set; } = null!;
}
