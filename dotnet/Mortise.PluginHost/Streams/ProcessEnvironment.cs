using System.Runtime.InteropServices;

namespace Mortise.PluginHost.Streams;

/// <summary>The environment that plugins, native code and children see.</summary>
internal static partial class ProcessEnvironment
{
    /// <summary>Removes a variable. Only while no other thread of the plugin runs.</summary>
    public static void Remove(string name)
    {
        Environment.SetEnvironmentVariable(name, null);
        if (!OperatingSystem.IsWindows())
        {
            // There .NET keeps a copy of its own, and native code would still see the variable.
            _ = unsetenv(name);
        }
    }

    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int unsetenv(string name);
}
