using System.Text.Json.Serialization;

namespace McpServer.Protocol;

/// <summary>The result of a call.</summary>
public class ToolCallResult
{
    /// <summary>The content for the client, in this order.</summary>
    [JsonPropertyName("content")]
    public List<ContentBlock> Content { get; set; } = [];

    /// <summary>True if the call failed. The content must say why.</summary>
    [JsonPropertyName("isError")]
    public bool IsError { get; set; }
}
