using System.Reflection;
using System.Runtime.Loader;

namespace Mortise.PluginHost.Loading;

/// <summary>
/// Where the assemblies of one plugin live. The contract, logging and the framework are the host's, so that both sides
/// mean the same types; everything else is the plugin's own. No file stays open: assemblies are read into memory.
/// </summary>
internal sealed class PluginLoadContext : AssemblyLoadContext
{
    /// <summary>Dependency injection is here because the types of logging name it.</summary>
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

    /// <summary>Loads an assembly with its symbols, where they lie beside it.</summary>
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
            // By its simple name: a plugin that was built with a newer version gets this one too.
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
        // A build may be writing it again: that must not fail because of this.
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var memory = new MemoryStream();
        stream.CopyTo(memory);
        memory.Position = 0;
        return memory;
    }
}
