using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Mortise.PluginHost.Streams;

namespace Mortise.PluginHost;

/// <summary>
/// The settings of the plugin: a JSON object of texts in MORTISE_PLUGIN_CONFIG, with <c>:</c> between the levels of a key.
/// </summary>
internal sealed class PluginConfig
{
    private const string Variable = "MORTISE_PLUGIN_CONFIG";

    private readonly Dictionary<string, string> values = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The value of a key in any case, or null.</summary>
    public string? Get(string key) => values.GetValueOrDefault(key);

    /// <summary>Reads the variable and removes it, for what it holds may be secret. False says what is wrong with it.</summary>
    public static bool TryTake(out PluginConfig config, [NotNullWhen(false)] out string? wrong)
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
            using var document = JsonDocument.Parse(text);
            foreach (var setting in document.RootElement.EnumerateObject())
            {
                if (setting.Value.GetString() is { } value)
                {
                    config.values[setting.Name] = value;
                }
            }
            return true;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            // The message of neither quotes the text.
            wrong = $"{Variable} is no JSON object of texts: {error.Message}";
            return false;
        }
    }
}
