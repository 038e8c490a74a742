using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text.Json;
using Mortise.PluginHost.Streams;

namespace Mortise.PluginHost;

/// <summary>
/// The settings of the plugin: a JSON object of texts with <c>:</c> between the levels of a key, in MORTISE_PLUGIN_CONFIG; or
/// <c>stdin:</c> and a number there, when so many bytes of it come first on stdin.
/// </summary>
internal sealed class PluginConfig
{
    private const string Variable = "MORTISE_PLUGIN_CONFIG";

    private const string OnInput = "stdin:";

    private readonly Dictionary<string, string> values = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The value of a key in any case, or null.</summary>
    public string? Get(string key) => values.GetValueOrDefault(key);

    /// <summary>Reads the settings, and removes the variable, for they may be secret. False says what is wrong with them.</summary>
    public static bool TryTake(Stream input, out PluginConfig config, [NotNullWhen(false)] out string? wrong)
    {
        config = new PluginConfig();
        wrong = null;
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
            // None of their messages quotes the text.
            wrong = $"{Variable} is not a JSON object of texts: {error.Message}";
            return false;
        }
    }

    private static JsonDocument Parse(string text, Stream input)
    {
        if (!text.StartsWith(OnInput, StringComparison.Ordinal))
        {
            return JsonDocument.Parse(text);
        }
        var bytes = new byte[int.Parse(text.AsSpan(OnInput.Length), CultureInfo.InvariantCulture)];
        input.ReadExactly(bytes);
        return JsonDocument.Parse(bytes);
    }
}
