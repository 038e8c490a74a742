using System.Globalization;
using System.Text.Json;

namespace McpServer.Contract;

/// <summary>The parameters of a tools/call.</summary>
public sealed record NextCall(string Name, JsonElement Arguments);

/// <summary>A parsed result of tools/call: either a success with its data, or a failure.</summary>
public sealed record ParsedResult
{
    /// <summary>The structuredContent of a success; null for a failure, and for a success that has only text.</summary>
    public JsonElement? Data { get; init; }

    /// <summary>The parsed text, if the call asked for machineReadable; else null.</summary>
    public SuccessResult? Success { get; init; }

    /// <summary>The failure; null for a success.</summary>
    public ErrorResponse? Failure { get; init; }

    /// <summary>The text blocks, joined by LF.</summary>
    public required string Text { get; init; }
}

/// <summary>Reads the results of Mortise (docs/spec/contract.md#contract-schema).</summary>
public static class CallResults
{
    /// <summary>Codes of calls that were refused before anything ran, and the default wait in milliseconds.</summary>
    private static readonly Dictionary<string, int> Retryable = new()
    {
        ["CONCURRENCY_CONFLICT"] = 1_000,
        ["TOOL_BUSY"] = 1_000,
        ["RATE_LIMITED"] = 1_000,
    };

    /// <summary>
    /// Parses the result of tools/call. The data can be in structuredContent, in the JSON text of machineReadable, or,
    /// for an error, in the text for people.
    /// </summary>
    public static ParsedResult Parse(JsonElement result)
    {
        var texts = TextsOf(result);
        var text = string.Join('\n', texts);
        JsonElement? structured =
            result.TryGetProperty("structuredContent", out var data) && data.ValueKind == JsonValueKind.Object ? data : null;
        var envelope = EnvelopeOf(texts.FirstOrDefault());
        var failure = new[] { structured, envelope }.FirstOrDefault(IsErrorResponse);
        if (failure is { } response)
            return new() { Text = text, Failure = Complete(response.Deserialize<ErrorResponse>()!) };
        var parsedText = structured is null && envelope is null ? ErrorText.Parse(text) : null;
        if (parsedText is not null || IsTrue(result, "isError"))
            return new() { Text = text, Failure = parsedText ?? Unknown(text) };
        return new() { Text = text, Data = structured, Success = envelope?.Deserialize<SuccessResult>() };
    }

    /// <summary>
    /// Returns the first recommended call, which can be made as it is; null if no call is recommended.
    /// </summary>
    public static NextCall? NextCall(ParsedResult result)
    {
        var actions = result.Failure is { } failure
            ? failure.Errors.Select(error => error.RecommendedAction)
            : [MemberOf(result.Data, "recommendedAction")];
        foreach (var action in actions)
        {
            if (MemberOf(action, "actionKind") is { ValueKind: JsonValueKind.String } kind && kind.GetString() == "CallTool")
                return new(action!.Value.GetProperty("toolName").GetString()!, action.Value.GetProperty("arguments"));
        }
        return null;
    }

    /// <summary>
    /// Returns the time to wait before the same call is made again, if it was refused before anything ran; else null.
    /// </summary>
    public static TimeSpan? RetryAfter(ParsedResult result)
    {
        if (result.Failure?.Errors[0] is not { } error || !Retryable.TryGetValue(error.Code, out var defaultMs))
            return null;
        var retryAfterMs = error.Data?.AdditionalData?.GetValueOrDefault("retryAfterMs");
        var isGiven = int.TryParse(retryAfterMs, NumberStyles.None, CultureInfo.InvariantCulture, out var givenMs);
        return TimeSpan.FromMilliseconds(isGiven ? givenMs : defaultMs);
    }

    private static List<string> TextsOf(JsonElement result)
    {
        if (MemberOf(result, "content") is not { ValueKind: JsonValueKind.Array } content)
            return [];
        return content
            .EnumerateArray()
            .Where(block => MemberOf(block, "type")?.GetString() == "text")
            .Select(block => MemberOf(block, "text")?.GetString() ?? "")
            .ToList();
    }

    private static JsonElement? EnvelopeOf(string? text)
    {
        if (text is null || !text.StartsWith('{'))
            return null;
        try
        {
            var root = JsonDocument.Parse(text).RootElement;
            return root.TryGetProperty("success", out _) && root.TryGetProperty("exitCode", out _) ? root : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static bool IsErrorResponse(JsonElement? value) =>
        MemberOf(value, "success") is { ValueKind: JsonValueKind.False }
        && MemberOf(value, "errors") is { ValueKind: JsonValueKind.Array } errors
        && errors.GetArrayLength() > 0;

    /// <summary>
    /// Completes each error. The help comes from <c>Codes</c>. In the published format, file, line and column are in
    /// AdditionalData.
    /// </summary>
    private static ErrorResponse Complete(ErrorResponse response) =>
        response with { Errors = response.Errors.Select(error => Complete(error, response.Codes)).ToList() };

    private static ErrorResult Complete(ErrorResult error, IReadOnlyDictionary<string, ErrorHelp>? codes)
    {
        var help = codes?.GetValueOrDefault(error.Code);
        var additionalData = error.Data?.AdditionalData;
        return error with
        {
            Hint = error.Hint ?? help?.Hint,
            Explanation = error.Explanation ?? help?.Explanation,
            DocumentationUrl = error.DocumentationUrl ?? help?.DocumentationUrl,
            SuggestedFixes = error.SuggestedFixes ?? help?.SuggestedFixes,
            RecommendedAction = error.RecommendedAction ?? help?.RecommendedAction,
            RootCauseKind = error.RootCauseKind ?? help?.RootCauseKind ?? additionalData?.GetValueOrDefault("rootCauseKind"),
            File = error.File ?? additionalData?.GetValueOrDefault("file"),
            Line = error.Line ?? NumberIn(additionalData, "line"),
            Column = error.Column ?? NumberIn(additionalData, "column"),
        };
    }

    private static int? NumberIn(IReadOnlyDictionary<string, string>? values, string name) =>
        int.TryParse(values?.GetValueOrDefault(name), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;

    private static ErrorResponse Unknown(string text) =>
        new()
        {
            Errors = [new() { Code = "TOOL_ERROR", Message = text, Category = "Tool", RawOutput = "" }],
            ExitCode = -1,
        };

    private static bool IsTrue(JsonElement value, string name) =>
        MemberOf(value, name) is { ValueKind: JsonValueKind.True };

    private static JsonElement? MemberOf(JsonElement? value, string name) =>
        value is { ValueKind: JsonValueKind.Object } element && element.TryGetProperty(name, out var member) ? member : null;
}
