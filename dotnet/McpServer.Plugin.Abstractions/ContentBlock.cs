using System.Text.Json.Serialization;

namespace McpServer.Protocol;

/// <summary>A content block of a result, as in MCP. The type decides which of the other members are used.</summary>
public class ContentBlock
{
    /// <summary>"text", "image", "audio", "resource" or "resource_link".</summary>
    [JsonPropertyName("type")]
    public string Type { get; set; } = "text";

    /// <summary>The text of a text block or of an embedded text resource.</summary>
    [JsonPropertyName("text")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Text { get; set; }

    /// <summary>An image, audio, or the content of an embedded binary resource, in Base64.</summary>
    [JsonPropertyName("data")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Data { get; set; }

    /// <summary>The MIME type of the data or the resource; required for images and audio.</summary>
    [JsonPropertyName("mimeType")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? MimeType { get; set; }

    /// <summary>The URI of a resource or of a link to one. Not in the published package.</summary>
    [JsonPropertyName("uri")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Uri { get; set; }

    /// <summary>The name of a link to a resource; if null, the URI is used. Not in the published package.</summary>
    [JsonPropertyName("name")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Name { get; set; }
}
