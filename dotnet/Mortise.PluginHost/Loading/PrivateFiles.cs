using System.Reflection;
using System.Runtime.Loader;

namespace Mortise.PluginHost.Loading;

/// <summary>Finds the files of a plugin, first by its .deps.json and then by name in its folder.</summary>
internal sealed class PrivateFiles
{
    private readonly string folder;
    private readonly AssemblyDependencyResolver? resolver;

    public PrivateFiles(string pluginFile)
    {
        folder = Path.GetDirectoryName(pluginFile)!;
        try
        {
            resolver = new AssemblyDependencyResolver(pluginFile);
        }
        catch (InvalidOperationException)
        {
            // The .deps.json is invalid; then only the folder is searched.
        }
    }

    public string? FindAssembly(AssemblyName name)
    {
        var file = resolver?.ResolveAssemblyToPath(name);
        return Existing(file) ?? Existing(Path.Combine(folder, name.CultureName ?? "", $"{name.Name}.dll"));
    }

    public string? FindNative(string name)
    {
        if (Existing(resolver?.ResolveUnmanagedDllToPath(name)) is { } file)
        {
            return file;
        }
        return NativeNames(name).Select(candidate => Existing(Path.Combine(folder, candidate))).FirstOrDefault(path => path is not null);
    }

    private static IEnumerable<string> NativeNames(string name)
    {
        if (OperatingSystem.IsWindows())
        {
            return [$"{name}.dll", name];
        }
        var extension = OperatingSystem.IsMacOS() ? "dylib" : "so";
        return [$"lib{name}.{extension}", $"{name}.{extension}", $"lib{name}", name];
    }

    private static string? Existing(string? file) => File.Exists(file) ? file : null;
}
