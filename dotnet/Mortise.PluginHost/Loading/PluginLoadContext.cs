using System.Reflection;
using System.Runtime.Loader;

namespace Mortise.PluginHost.Loading;

/// <summary>
/// Loads the assemblies of one plugin. The contract, logging and the framework are those of the host, so that both
/// sides share their types; all other assemblies are the plugin's own. Assemblies are read into memory, so no file
/// stays open.
/// </summary>
internal sealed class PluginLoadContext : AssemblyLoadContext
{
    /// <summary>
    /// The shared assemblies. Dependency injection is one of them because types of logging refer to it.
    /// </summary>
    private static readonly HashSet<string> Shared = new(StringComparer.OrdinalIgnoreCase)
    {
        "McpServer.Plugin.Abstractions",
        "Microsoft.Extensions.Logging.Abstractions",
        "Microsoft.Extensions.DependencyInjection.Abstractions",
    };

    private readonly Dictionary<string, Assembly> loaded = new(StringComparer.OrdinalIgnoreCase);
    private readonly PrivateFiles files;

    public PluginLoadContext(string pluginFile)
        : base(Path.GetFileNameWithoutExtension(pluginFile), isCollectible: true) =>
        files = new PrivateFiles(pluginFile);

    /// <summary>Loads an assembly, and its symbols if they are in the same folder.</summary>
    public Assembly LoadFile(string file)
    {
        using var image = ReadToMemory(file);
        var symbols = Path.ChangeExtension(file, ".pdb");
        using var symbolImage = File.Exists(symbols) ? ReadToMemory(symbols) : null;
        return LoadFromStream(image, symbolImage);
    }

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (assemblyName.Name is not { } name)
        {
            return null;
        }
        if (Shared.Contains(name))
        {
            // The simple name is enough, so that a plugin that was built with a newer version gets this one.
            return Default.LoadFromAssemblyName(new AssemblyName(name));
        }
        if (files.FindAssembly(assemblyName) is not { } file || Framework.HasAtLeast(assemblyName))
        {
            return null;
        }
        lock (loaded)
        {
            if (!loaded.TryGetValue(file, out var assembly))
            {
                assembly = LoadFile(file);
                loaded.Add(file, assembly);
            }
            return assembly;
        }
    }

    protected override IntPtr LoadUnmanagedDll(string unmanagedDllName) =>
        files.FindNative(unmanagedDllName) is { } file ? LoadUnmanagedDllFromPath(file) : IntPtr.Zero;

    private static MemoryStream ReadToMemory(string file)
    {
        // A build that writes the file at the same time must not fail because it is open here.
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var memory = new MemoryStream();
        stream.CopyTo(memory);
        memory.Position = 0;
        return memory;
    }
}
