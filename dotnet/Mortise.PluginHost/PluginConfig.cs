using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text.Json;
using Mortise.PluginHost.Streams;

namespace Mortise.PluginHost;

/// <summary>
/// The settings of the plugin. The variable MORTISE_PLUGIN_CONFIG is either a JSON object of strings, with <c>:</c>
/// between the levels of a key, or <c>stdin:N</c>. In the second case the first N bytes on stdin are that JSON object.
/// </summary>
internal sealed class PluginConfig
{
    private const string Variable = "MORTISE_PLUGIN_CONFIG";

    private const string InputPrefix = "stdin:";

    private readonly Dictionary<string, string> values = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Returns the value of a key, whose case does not matter, or null.</summary>
    public string? Get(string key) => values.GetValueOrDefault(key);

    /// <summary>Reads the settings, and removes the variable because they can be secret.</summary>
    /// <param name="input">The standard input, from which settings after <c>stdin:</c> are read.</param>
    /// <param name="config">The settings; incomplete if the result is false.</param>
    /// <param name="problem">The problem with the settings, if the result is false.</param>
    public static bool TryTake(Stream input, out PluginConfig config, [NotNullWhen(false)] out string? problem)
    {
        config = new PluginConfig();
        problem = null;
        var text = Environment.GetEnvironmentVariable(Variable);
        ProcessEnvironment.Remove(Variable);
        if (string.IsNullOrEmpty(text))
        {
            return true;
        }
        try
        {
            using var document = Parse(text, input);
            foreach (var setting in document.RootElement.EnumerateObject())
            {
                if (setting.Value.GetString() is { } value)
                {
                    config.values[setting.Name] = value;
                }
            }
            return true;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException or FormatException or IOException)
        {
            // The messages of these exceptions do not quote the text, so they reveal no secret.
            problem = $"{Variable} is not a JSON object of strings: {error.Message}";
            return false;
        }
    }

    private static JsonDocument Parse(string text, Stream input)
    {
        if (!text.StartsWith(InputPrefix, StringComparison.Ordinal))
        {
            return JsonDocument.Parse(text);
        }
        var bytes = new byte[int.Parse(text.AsSpan(InputPrefix.Length), CultureInfo.InvariantCulture)];
        input.ReadExactly(bytes);
        return JsonDocument.Parse(bytes);
    }
}
