using System.Reflection;

namespace Mortise.PluginHost.Loading;

/// <summary>The assemblies of the .NET runtime on which the host runs.</summary>
internal static class Framework
{
    private static readonly Dictionary<string, string> Files = FindFiles();

    /// <summary>True if the framework has the assembly in the required version or a newer one.</summary>
    public static bool HasAtLeast(AssemblyName required) =>
        Files.TryGetValue(required.Name!, out var file)
        && (required.Version is null || AssemblyName.GetAssemblyName(file).Version >= required.Version);

    private static Dictionary<string, string> FindFiles()
    {
        var all = AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") as string ?? "";
        var own = Path.GetDirectoryName(typeof(Framework).Assembly.Location)!;
        var files = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var file in all.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries))
        {
            // Files beside the host are its own dependencies and not part of the framework.
            if (!own.Equals(Path.GetDirectoryName(file), StringComparison.OrdinalIgnoreCase))
            {
                files[Path.GetFileNameWithoutExtension(file)] = file;
            }
        }
        return files;
    }
}
