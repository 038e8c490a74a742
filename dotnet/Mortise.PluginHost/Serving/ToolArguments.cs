using System.Text.Json;

namespace Mortise.PluginHost.Serving;

/// <summary>Converts the arguments of a call for plugins (docs/spec/csharp-plugins.md#csharp-arguments).</summary>
internal static class ToolArguments
{
    /// <summary>Returns the arguments by name; null if the client sent none.</summary>
    public static Dictionary<string, object>? From(IDictionary<string, JsonElement>? arguments) =>
        arguments?.ToDictionary(argument => argument.Key, argument => ToValue(argument.Value)!);

    private static object? ToValue(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString(),
        JsonValueKind.Number => value.GetDouble(),
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Null or JsonValueKind.Undefined => null,
        _ => value.GetRawText(),
    };
}
