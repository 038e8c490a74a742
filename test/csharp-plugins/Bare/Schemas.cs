using McpServer.Protocol;

namespace Bare;

/// <summary>Refers to the contract, and holds no tool.</summary>
public static class Schemas
{
    public static JsonSchema Empty { get; } = new() { Type = "object" };
}
