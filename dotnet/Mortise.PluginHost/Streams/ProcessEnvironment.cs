using System.Runtime.InteropServices;

namespace Mortise.PluginHost.Streams;

/// <summary>The environment variables that plugins, native code and child processes see.</summary>
internal static partial class ProcessEnvironment
{
    /// <summary>Removes a variable. Must be called before any code of the plugin runs on another thread.</summary>
    public static void Remove(string name)
    {
        Environment.SetEnvironmentVariable(name, null);
        if (!OperatingSystem.IsWindows())
        {
            // On Unix, .NET has only changed its own copy, and native code would still see the variable.
            _ = unsetenv(name);
        }
    }

    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int unsetenv(string name);
}
