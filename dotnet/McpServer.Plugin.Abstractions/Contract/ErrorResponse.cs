using System.Text.Json;
using System.Text.Json.Serialization;

namespace McpServer.Contract;

/// <summary>
/// The structuredContent of a failed call, or its text with machineReadable (docs/spec/contract.md#error-response).
/// </summary>
public sealed record ErrorResponse
{
    /// <summary>Always false.</summary>
    [JsonPropertyName("success")]
    public bool Success { get; init; }

    /// <summary>The errors, at least one.</summary>
    [JsonPropertyName("errors")]
    public required IReadOnlyList<ErrorResult> Errors { get; init; }

    /// <summary>The exit code of the command; −1 if no process ran to its end.</summary>
    [JsonPropertyName("exitCode")]
    public required int ExitCode { get; init; }

    /// <summary>The help by code, which the errors after the first do not repeat.</summary>
    [JsonPropertyName("codes")]
    public IReadOnlyDictionary<string, ErrorHelp>? Codes { get; init; }

    /// <summary>
    /// Further facts. All values are strings in the text of machineReadable and for Mortise's own tools; the metadata
    /// of plugins can be any JSON.
    /// </summary>
    [JsonPropertyName("metadata")]
    public IReadOnlyDictionary<string, JsonElement>? Metadata { get; init; }

    /// <summary>The lock that was held or refused.</summary>
    [JsonPropertyName("lockInfo")]
    public LockInfo? LockInfo { get; init; }

    /// <summary>The resource with the full output of the command.</summary>
    [JsonPropertyName("fullOutput")]
    public FullOutput? FullOutput { get; init; }

    /// <summary>Fields of the result that are known in spite of the failure, such as errorCount of a build.</summary>
    [JsonExtensionData]
    public IDictionary<string, JsonElement>? PartialResult { get; init; }
}

/// <summary>One error of an <see cref="ErrorResponse"/>.</summary>
public sealed record ErrorResult
{
    /// <summary>The error code, whose meaning never changes (docs/error-codes.md).</summary>
    [JsonPropertyName("code")]
    public required string Code { get; init; }

    /// <summary>Says what happened to what.</summary>
    [JsonPropertyName("message")]
    public required string Message { get; init; }

    /// <summary>The group of the code.</summary>
    [JsonPropertyName("category")]
    public required string Category { get; init; }

    /// <summary>Says what to do next.</summary>
    [JsonPropertyName("hint")]
    public string? Hint { get; init; }

    /// <summary>Explains the code.</summary>
    [JsonPropertyName("explanation")]
    public string? Explanation { get; init; }

    /// <summary>The address of a page about the code.</summary>
    [JsonPropertyName("documentationUrl")]
    public string? DocumentationUrl { get; init; }

    /// <summary>Possible fixes, of which one is enough.</summary>
    [JsonPropertyName("suggestedFixes")]
    public IReadOnlyList<string>? SuggestedFixes { get; init; }

    /// <summary>Other ways to the same result if a capability is missing.</summary>
    [JsonPropertyName("alternatives")]
    public IReadOnlyList<string>? Alternatives { get; init; }

    /// <summary>The related output; can be empty.</summary>
    [JsonPropertyName("rawOutput")]
    public required string RawOutput { get; init; }

    /// <summary>The JSON-RPC error code that corresponds to the code, if any.</summary>
    [JsonPropertyName("mcpErrorCode")]
    public int? McpErrorCode { get; init; }

    /// <summary>Details for programs.</summary>
    [JsonPropertyName("data")]
    public ErrorData? Data { get; init; }

    /// <summary>The source file with the error.</summary>
    [JsonPropertyName("file")]
    public string? File { get; init; }

    /// <summary>The line in the file, from 1.</summary>
    [JsonPropertyName("line")]
    public int? Line { get; init; }

    /// <summary>The column in the line, from 1.</summary>
    [JsonPropertyName("column")]
    public int? Column { get; init; }

    /// <summary>The kind of cause.</summary>
    [JsonPropertyName("rootCauseKind")]
    public string? RootCauseKind { get; init; }

    /// <summary>
    /// The next action: an object, or a text of a plugin. <see cref="CallResults.NextCall"/> reads it.
    /// </summary>
    [JsonPropertyName("recommendedAction")]
    public JsonElement? RecommendedAction { get; init; }
}

/// <summary>The help that is the same for every error with a code.</summary>
public sealed record ErrorHelp
{
    /// <summary>See <see cref="ErrorResult.Hint"/>.</summary>
    [JsonPropertyName("hint")]
    public string? Hint { get; init; }

    /// <summary>See <see cref="ErrorResult.Explanation"/>.</summary>
    [JsonPropertyName("explanation")]
    public string? Explanation { get; init; }

    /// <summary>See <see cref="ErrorResult.DocumentationUrl"/>.</summary>
    [JsonPropertyName("documentationUrl")]
    public string? DocumentationUrl { get; init; }

    /// <summary>See <see cref="ErrorResult.SuggestedFixes"/>.</summary>
    [JsonPropertyName("suggestedFixes")]
    public IReadOnlyList<string>? SuggestedFixes { get; init; }

    /// <summary>See <see cref="ErrorResult.RootCauseKind"/>.</summary>
    [JsonPropertyName("rootCauseKind")]
    public string? RootCauseKind { get; init; }

    /// <summary>See <see cref="ErrorResult.RecommendedAction"/>.</summary>
    [JsonPropertyName("recommendedAction")]
    public JsonElement? RecommendedAction { get; init; }
}

/// <summary>The details of an error for programs.</summary>
public sealed record ErrorData
{
    /// <summary>The command that was run, redacted.</summary>
    [JsonPropertyName("command")]
    public string? Command { get; init; }

    /// <summary>The exit code of the command; −1 if no process ran to its end.</summary>
    [JsonPropertyName("exitCode")]
    public int? ExitCode { get; init; }

    /// <summary>The standard error output of the command, redacted.</summary>
    [JsonPropertyName("stderr")]
    public string? Stderr { get; init; }

    /// <summary>Further facts by name.</summary>
    [JsonPropertyName("additionalData")]
    public IReadOnlyDictionary<string, string>? AdditionalData { get; init; }
}

/// <summary>The lock that an operation held or was refused (docs/spec/contract.md#lock-info).</summary>
public sealed record LockInfo
{
    /// <summary>project, solution, workingDirectory or global.</summary>
    [JsonPropertyName("lockScope")]
    public required string LockScope { get; init; }

    /// <summary>The absolute path of the locked file or folder.</summary>
    [JsonPropertyName("lockKey")]
    public required string LockKey { get; init; }

    /// <summary>True if the lock was refused; else null.</summary>
    [JsonPropertyName("lockContended")]
    public bool? LockContended { get; init; }

    /// <summary>The time that the call waited, in milliseconds.</summary>
    [JsonPropertyName("lockWaitedMs")]
    public long? LockWaitedMs { get; init; }
}

/// <summary>The resource with the full output of a command.</summary>
public sealed record FullOutput
{
    /// <summary>The URI of the resource: mortise://outputs/{id}.</summary>
    [JsonPropertyName("uri")]
    public required string Uri { get; init; }

    /// <summary>The length of the output in characters.</summary>
    [JsonPropertyName("chars")]
    public required long Chars { get; init; }
}

/// <summary>The text of a successful call with machineReadable.</summary>
public sealed record SuccessResult
{
    /// <summary>Always true.</summary>
    [JsonPropertyName("success")]
    public bool Success { get; init; }

    /// <summary>The command that was run.</summary>
    [JsonPropertyName("command")]
    public string? Command { get; init; }

    /// <summary>The output of the command; if no command ran, the text of the result.</summary>
    [JsonPropertyName("output")]
    public required string Output { get; init; }

    /// <summary>Always 0.</summary>
    [JsonPropertyName("exitCode")]
    public int ExitCode { get; init; }

    /// <summary>Further facts by name.</summary>
    [JsonPropertyName("metadata")]
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }
}
