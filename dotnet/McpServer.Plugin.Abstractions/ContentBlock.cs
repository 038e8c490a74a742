using System.Text.Json.Serialization;

namespace McpServer.Protocol;

/// <summary>A piece of a result; which members count depends on its type, as in MCP.</summary>
public class ContentBlock
{
    /// <summary>"text", "image", "audio", "resource" or "resource_link".</summary>
    [JsonPropertyName("type")]
    public string Type { get; set; } = "text";

    /// <summary>The text of a text block or of an embedded text resource.</summary>
    [JsonPropertyName("text")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Text { get; set; }

    /// <summary>Base64: an image, audio, or the content of an embedded binary resource.</summary>
    [JsonPropertyName("data")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Data { get; set; }

    /// <summary>Of the data or the resource; required for images and audio.</summary>
    [JsonPropertyName("mimeType")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? MimeType { get; set; }

    /// <summary>Of a resource or a link to one. Not in the published package.</summary>
    [JsonPropertyName("uri")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Uri { get; set; }

    /// <summary>Of a link to a resource; its URI when null. Not in the published package.</summary>
    [JsonPropertyName("name")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Name { get; set; }
}
