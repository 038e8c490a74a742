using System.Text.Json;
using System.Text.Json.Serialization;

namespace McpServer.Contract;

/// <summary>What every failed call has: structuredContent, or with machineReadable the text (docs/spec/contract.md#error-response).</summary>
public sealed record ErrorResponse
{
    /// <summary>Always false.</summary>
    [JsonPropertyName("success")]
    public bool Success { get; init; }

    /// <summary>At least one.</summary>
    [JsonPropertyName("errors")]
    public required IReadOnlyList<ErrorResult> Errors { get; init; }

    /// <summary>−1 if no process ran to its end.</summary>
    [JsonPropertyName("exitCode")]
    public required int ExitCode { get; init; }

    /// <summary>Help by code, which the errors after the first do not repeat.</summary>
    [JsonPropertyName("codes")]
    public IReadOnlyDictionary<string, ErrorHelp>? Codes { get; init; }

    /// <summary>Strings in the text of machineReadable, and of Mortise's own tools; a plugin's own metadata can be any JSON.</summary>
    [JsonPropertyName("metadata")]
    public IReadOnlyDictionary<string, JsonElement>? Metadata { get; init; }

    /// <summary>The lock that was held or refused.</summary>
    [JsonPropertyName("lockInfo")]
    public LockInfo? LockInfo { get; init; }

    /// <summary>Where the output of the command can be read.</summary>
    [JsonPropertyName("fullOutput")]
    public FullOutput? FullOutput { get; init; }

    /// <summary>What is known in addition to the error, such as errorCount of a build.</summary>
    [JsonExtensionData]
    public IDictionary<string, JsonElement>? PartialResult { get; init; }
}

/// <summary>One error of an <see cref="ErrorResponse"/>.</summary>
public sealed record ErrorResult
{
    /// <summary>Its meaning never changes (docs/error-codes.md).</summary>
    [JsonPropertyName("code")]
    public required string Code { get; init; }

    /// <summary>What happened to what.</summary>
    [JsonPropertyName("message")]
    public required string Message { get; init; }

    /// <summary>The group of the code.</summary>
    [JsonPropertyName("category")]
    public required string Category { get; init; }

    /// <summary>What to do next.</summary>
    [JsonPropertyName("hint")]
    public string? Hint { get; init; }

    /// <summary>What the code means.</summary>
    [JsonPropertyName("explanation")]
    public string? Explanation { get; init; }

    /// <summary>A page about the code.</summary>
    [JsonPropertyName("documentationUrl")]
    public string? DocumentationUrl { get; init; }

    /// <summary>Possible fixes.</summary>
    [JsonPropertyName("suggestedFixes")]
    public IReadOnlyList<string>? SuggestedFixes { get; init; }

    /// <summary>Other ways to the same result, where a capability is missing.</summary>
    [JsonPropertyName("alternatives")]
    public IReadOnlyList<string>? Alternatives { get; init; }

    /// <summary>Related output; may be empty.</summary>
    [JsonPropertyName("rawOutput")]
    public required string RawOutput { get; init; }

    /// <summary>The JSON-RPC error code that corresponds to the code, if any.</summary>
    [JsonPropertyName("mcpErrorCode")]
    public int? McpErrorCode { get; init; }

    /// <summary>Details for programs.</summary>
    [JsonPropertyName("data")]
    public ErrorData? Data { get; init; }

    /// <summary>The source file that the error is in.</summary>
    [JsonPropertyName("file")]
    public string? File { get; init; }

    /// <summary>In the file, from 1.</summary>
    [JsonPropertyName("line")]
    public int? Line { get; init; }

    /// <summary>In the line, from 1.</summary>
    [JsonPropertyName("column")]
    public int? Column { get; init; }

    /// <summary>The kind of cause.</summary>
    [JsonPropertyName("rootCauseKind")]
    public string? RootCauseKind { get; init; }

    /// <summary>The next step: an object, or the words of a plugin. <see cref="CallResults.NextCall"/> reads it.</summary>
    [JsonPropertyName("recommendedAction")]
    public JsonElement? RecommendedAction { get; init; }
}

/// <summary>What helps with every error of one code.</summary>
public sealed record ErrorHelp
{
    /// <summary>What to do next.</summary>
    [JsonPropertyName("hint")]
    public string? Hint { get; init; }

    /// <summary>What the code means.</summary>
    [JsonPropertyName("explanation")]
    public string? Explanation { get; init; }

    /// <summary>A page about the code.</summary>
    [JsonPropertyName("documentationUrl")]
    public string? DocumentationUrl { get; init; }

    /// <summary>Possible fixes.</summary>
    [JsonPropertyName("suggestedFixes")]
    public IReadOnlyList<string>? SuggestedFixes { get; init; }

    /// <summary>The kind of cause.</summary>
    [JsonPropertyName("rootCauseKind")]
    public string? RootCauseKind { get; init; }

    /// <summary>The next step.</summary>
    [JsonPropertyName("recommendedAction")]
    public JsonElement? RecommendedAction { get; init; }
}

/// <summary>Structured facts of an error.</summary>
public sealed record ErrorData
{
    /// <summary>The command that was run, redacted.</summary>
    [JsonPropertyName("command")]
    public string? Command { get; init; }

    /// <summary>−1 if no process ran to its end.</summary>
    [JsonPropertyName("exitCode")]
    public int? ExitCode { get; init; }

    /// <summary>What the command printed to stderr, redacted.</summary>
    [JsonPropertyName("stderr")]
    public string? Stderr { get; init; }

    /// <summary>Facts by name.</summary>
    [JsonPropertyName("additionalData")]
    public IReadOnlyDictionary<string, string>? AdditionalData { get; init; }
}

/// <summary>Which lock an operation held or was refused (docs/spec/contract.md#lock-info).</summary>
public sealed record LockInfo
{
    /// <summary>project, solution, workingDirectory or global.</summary>
    [JsonPropertyName("lockScope")]
    public required string LockScope { get; init; }

    /// <summary>The absolute path of what is locked.</summary>
    [JsonPropertyName("lockKey")]
    public required string LockKey { get; init; }

    /// <summary>True on a refusal only.</summary>
    [JsonPropertyName("lockContended")]
    public bool? LockContended { get; init; }

    /// <summary>How long the call waited, in milliseconds.</summary>
    [JsonPropertyName("lockWaitedMs")]
    public long? LockWaitedMs { get; init; }
}

/// <summary>The resource with the full output of a command.</summary>
public sealed record FullOutput
{
    /// <summary>mortise://outputs/{id}</summary>
    [JsonPropertyName("uri")]
    public required string Uri { get; init; }

    /// <summary>How long it is, in characters.</summary>
    [JsonPropertyName("chars")]
    public required long Chars { get; init; }
}

/// <summary>The text of a success with machineReadable.</summary>
public sealed record SuccessResult
{
    /// <summary>Always true.</summary>
    [JsonPropertyName("success")]
    public bool Success { get; init; }

    /// <summary>The command that was run.</summary>
    [JsonPropertyName("command")]
    public string? Command { get; init; }

    /// <summary>What the command printed, or else the text of the result.</summary>
    [JsonPropertyName("output")]
    public required string Output { get; init; }

    /// <summary>Always 0.</summary>
    [JsonPropertyName("exitCode")]
    public int ExitCode { get; init; }

    /// <summary>What else is known, as text.</summary>
    [JsonPropertyName("metadata")]
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }
}
