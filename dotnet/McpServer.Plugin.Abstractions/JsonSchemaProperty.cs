using System.Text.Json.Serialization;

namespace McpServer.Protocol;

/// <summary>The JSON Schema of one argument. Members that are null are not sent.</summary>
public class JsonSchemaProperty
{
    /// <summary>"string", "integer", "number", "boolean", "array" or "object".</summary>
    [JsonPropertyName("type")]
    public string Type { get; set; } = "string";

    /// <summary>Says what the argument means.</summary>
    [JsonPropertyName("description")]
    public string Description { get; set; } = "";

    /// <summary>The allowed values; null if all are allowed.</summary>
    [JsonPropertyName("enum")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public List<string>? Enum { get; set; }

    /// <summary>The value that the tool uses if the argument is missing.</summary>
    [JsonPropertyName("default")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public object? Default { get; set; }
}
