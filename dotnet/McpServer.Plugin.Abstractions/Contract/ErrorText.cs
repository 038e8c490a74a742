using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace McpServer.Contract;

/// <summary>Parses the text of an error for people (docs/spec/contract.md#error-text).</summary>
internal static partial class ErrorText
{
    /// <summary>Returns the error in the text; null if the text has another form.</summary>
    public static ErrorResponse? Parse(string text)
    {
        var start = Start().Match(text);
        if (!start.Success)
            return null;
        var exitCode = LineOf(text, "Exit Code");
        var error = new ErrorResult
        {
            Message = start.Groups[1].Value,
            Code = start.Groups[2].Value,
            Category = "Unknown",
            RawOutput = "",
            Hint = LineOf(text, "Hint"),
            DocumentationUrl = LineOf(text, "Docs"),
            RecommendedAction = ActionIn(LineOf(text, "Next")),
        };
        return new() { Errors = [error], ExitCode = exitCode is null ? -1 : int.Parse(exitCode, CultureInfo.InvariantCulture) };
    }

    private static string? LineOf(string text, string label)
    {
        var line = Regex.Match(text, $"^{label}: (.+)$", RegexOptions.Multiline);
        return line.Success ? line.Groups[1].Value : null;
    }

    private static JsonElement? ActionIn(string? line)
    {
        if (line is null)
            return null;
        var call = Call().Match(line);
        if (!call.Success)
            return JsonSerializer.SerializeToElement(new { actionKind = "ManualStep", description = line });
        using var arguments = JsonDocument.Parse(call.Groups[3].Value);
        return JsonSerializer.SerializeToElement(
            new
            {
                actionKind = "CallTool",
                description = call.Groups[1].Value,
                toolName = call.Groups[2].Value,
                arguments = arguments.RootElement,
            });
    }

    [GeneratedRegex(@"\AError: ([\s\S]*?)\nCode: (\S+)$", RegexOptions.Multiline)]
    private static partial Regex Start();

    [GeneratedRegex(@"^(.*?) ?([A-Za-z][\w.-]*) (\{.*\})$")]
    private static partial Regex Call();
}
