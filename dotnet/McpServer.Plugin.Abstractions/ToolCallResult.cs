using System.Text.Json.Serialization;

namespace McpServer.Protocol;

/// <summary>What a call came to.</summary>
public class ToolCallResult
{
    /// <summary>What the client is given, in this order.</summary>
    [JsonPropertyName("content")]
    public List<ContentBlock> Content { get; set; } = [];

    /// <summary>Whether the call failed; the content then says why.</summary>
    [JsonPropertyName("isError")]
    public bool IsError { get; set; }
}
