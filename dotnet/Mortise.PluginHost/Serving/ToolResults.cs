using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using McpServer.Protocol;
using ModelContextProtocol.Protocol;
using PluginBlock = McpServer.Protocol.ContentBlock;

namespace Mortise.PluginHost.Serving;

/// <summary>Converts the results of tools to results of MCP.</summary>
internal static class ToolResults
{
    /// <summary>The member of <c>_meta</c> with the code of an error result (docs/csharp-plugins.md).</summary>
    private const string ErrorKey = "mortise/error";

    private static readonly JsonSerializerOptions AsReturned = new()
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>
    /// Converts a result. If it or one of its blocks is malformed, returns an error result that says so.
    /// </summary>
    public static CallToolResult From(ToolCallResult? result)
    {
        if (result is null)
        {
            return Invalid("The tool returned null instead of a ToolCallResult.");
        }
        if (result.Content is null)
        {
            return Invalid("The tool returned a result whose Content is null.");
        }
        try
        {
            return new CallToolResult
            {
                Content = [.. result.Content.Select(ToBlock)],
                IsError = result.IsError ? true : null,
            };
        }
        catch (FormatException error)
        {
            return Invalid(
                $"The tool returned a malformed content block: {Thrown.MessageOf(error)}",
                JsonSerializer.Serialize(result, AsReturned));
        }
    }

    /// <summary>Returns an error result with the code TOOL_EXCEPTION and the stack of the plugin's own code.</summary>
    public static CallToolResult FromException(Exception error) =>
        Error("TOOL_EXCEPTION", Thrown.Describe(error), Thrown.OwnStack(error));

    /// <param name="message">The problem with the result.</param>
    /// <param name="returned">The result of the tool as JSON.</param>
    private static CallToolResult Invalid(string message, string returned = "") =>
        Error("TOOL_INVALID_RESULT", message, returned);

    private static CallToolResult Error(string code, string message, string rawOutput) => new()
    {
        Content = [new TextContentBlock { Text = message }],
        IsError = true,
        Meta = new JsonObject
        {
            [ErrorKey] = new JsonObject { ["code"] = code, ["message"] = message, ["rawOutput"] = rawOutput },
        },
    };

    private static ModelContextProtocol.Protocol.ContentBlock ToBlock(PluginBlock? block) => block?.Type switch
    {
        _ when block is null => throw new FormatException("it is null."),
        null or "" or "text" => new TextContentBlock { Text = block.Text ?? "" },
        "image" => ImageContentBlock.FromBytes(Bytes(block), MimeType(block)),
        "audio" => AudioContentBlock.FromBytes(Bytes(block), MimeType(block)),
        "resource" => new EmbeddedResourceBlock { Resource = ToResource(block) },
        "resource_link" => new ResourceLinkBlock
        {
            Uri = Uri(block),
            Name = block.Name ?? Uri(block),
            MimeType = block.MimeType,
            Description = block.Text,
        },
        var other => throw new FormatException($"its Type is '{other}', which MCP does not have."),
    };

    private static ResourceContents ToResource(PluginBlock block) => block.Data is null
        ? new TextResourceContents { Uri = Uri(block), MimeType = block.MimeType, Text = block.Text ?? "" }
        : BlobResourceContents.FromBytes(Bytes(block), Uri(block), block.MimeType);

    private static ReadOnlyMemory<byte> Bytes(PluginBlock block) => block.Data is { } data
        ? Convert.FromBase64String(data)
        : throw new FormatException($"the Data of its {block.Type} is null.");

    private static string MimeType(PluginBlock block) => Required(block.MimeType, nameof(block.MimeType), block);

    private static string Uri(PluginBlock block) => Required(block.Uri, nameof(block.Uri), block);

    private static string Required(string? value, string member, PluginBlock block) => string.IsNullOrEmpty(value)
        ? throw new FormatException($"the {member} of its {block.Type} is missing.")
        : value;
}
