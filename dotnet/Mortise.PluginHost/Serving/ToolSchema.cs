using System.Buffers;
using System.Globalization;
using System.Text.Json;
using McpServer.Protocol;

namespace Mortise.PluginHost.Serving;

/// <summary>
/// Writes the schema of a tool as JSON. Members that are null are left out, because official clients refuse a whole
/// result of tools/list that contains <c>"properties": null</c>.
/// </summary>
internal static class ToolSchema
{
    /// <summary>
    /// Returns the JSON. Throws if the type is not "object", or if a value cannot be JSON, such as a default that
    /// refers to itself.
    /// </summary>
    public static JsonElement ToJson(JsonSchema schema)
    {
        var type = string.IsNullOrEmpty(schema.Type) ? "object" : schema.Type;
        if (type != "object")
        {
            throw new FormatException($"its Type is '{type}', but the arguments of a tool are an object");
        }
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteString("type", type);
            WriteProperties(json, schema.Properties);
            WriteRequired(json, schema.Required);
            json.WriteEndObject();
        }
        var reader = new Utf8JsonReader(buffer.WrittenSpan);
        return JsonElement.ParseValue(ref reader);
    }

    private static void WriteProperties(Utf8JsonWriter json, Dictionary<string, JsonSchemaProperty>? properties)
    {
        if (properties is null)
        {
            return;
        }
        json.WriteStartObject("properties");
        foreach (var (name, property) in properties)
        {
            json.WriteStartObject(name);
            if (property is not null)
            {
                WriteProperty(json, property);
            }
            json.WriteEndObject();
        }
        json.WriteEndObject();
    }

    private static void WriteProperty(Utf8JsonWriter json, JsonSchemaProperty property)
    {
        if (!string.IsNullOrEmpty(property.Type))
        {
            json.WriteString("type", property.Type);
        }
        if (!string.IsNullOrEmpty(property.Description))
        {
            json.WriteString("description", property.Description);
        }
        // An empty list would allow no value at all, so it is left out.
        if (property.Enum is { Count: > 0 } values)
        {
            WriteEnum(json, property.Type, values);
        }
        if (property.Default is { } value)
        {
            json.WritePropertyName("default");
            JsonSerializer.Serialize(json, value, value.GetType());
        }
    }

    /// <summary>
    /// Converts the allowed values, which are always strings in the contract, to the type of the argument.
    /// </summary>
    private static void WriteEnum(Utf8JsonWriter json, string? type, List<string> values)
    {
        json.WriteStartArray("enum");
        foreach (var value in values.Where(item => item is not null).Distinct())
        {
            if (type is "integer" or "number"
                && decimal.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
            {
                json.WriteNumberValue(number);
            }
            else if (type is "boolean" && bool.TryParse(value, out var truth))
            {
                json.WriteBooleanValue(truth);
            }
            else
            {
                json.WriteStringValue(value);
            }
        }
        json.WriteEndArray();
    }

    private static void WriteRequired(Utf8JsonWriter json, List<string>? required)
    {
        if (required is null)
        {
            return;
        }
        json.WriteStartArray("required");
        // JSON Schema requires that the names are unique.
        foreach (var name in required.Where(item => item is not null).Distinct())
        {
            json.WriteStringValue(name);
        }
        json.WriteEndArray();
    }
}
