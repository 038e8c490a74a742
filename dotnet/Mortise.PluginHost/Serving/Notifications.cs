using System.Text.Json.Nodes;
using ModelContextProtocol;

namespace Mortise.PluginHost.Serving;

internal static class Notifications
{
    /// <summary>Writes a notification before it returns. Returns false if the client has disconnected.</summary>
    public static bool TryNotify(this McpSession session, string method, JsonObject parameters)
    {
        try
        {
            session.SendNotificationAsync(method, parameters).GetAwaiter().GetResult();
            return true;
        }
        catch (Exception error) when (error is IOException or InvalidOperationException)
        {
            return false;
        }
    }
}
