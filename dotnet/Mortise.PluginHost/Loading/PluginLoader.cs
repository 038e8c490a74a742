using System.Reflection;
using System.Reflection.PortableExecutable;
using McpServer.Plugins;
using McpServer.Tools;
using Mortise.PluginHost.Serving;

namespace Mortise.PluginHost.Loading;

/// <summary>Makes the tools of a DLL. What is wrong with one class costs only that class.</summary>
internal static class PluginLoader
{
    /// <summary>Never throws for what is wrong with the plugin: that is in the problems.</summary>
    public static LoadedPlugin Load(string file, PluginConfig config, ClientLog log)
    {
        var path = Path.GetFullPath(file);
        var problems = new List<Problem>();
        PluginLoadContext? context = null;
        try
        {
            context = new PluginLoadContext(path);
            var tools = new ToolMaker(type => new PluginContext(config.Get, log.LoggerFor(type.FullName!)), problems);
            foreach (var type in ToolTypes(context.LoadFile(path), problems))
            {
                tools.Make(type);
            }
            return new LoadedPlugin(tools.Offered, problems, tools.Instances, context);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            problems.Add(Problems.Unreadable(path, error));
        }
        catch (BadImageFormatException error)
        {
            problems.Add(IsNative(path) ? Problems.NotManaged(path) : Problems.Damaged(path, error));
        }
        return new LoadedPlugin(new Dictionary<string, LoadedTool>(), problems, [], context);
    }

    private static IEnumerable<Type> ToolTypes(Assembly assembly, List<Problem> problems) =>
        LoadableTypes(assembly, problems)
            .Where(type => type is { IsClass: true, IsVisible: true, IsAbstract: false, ContainsGenericParameters: false })
            .Where(type => typeof(ITool).IsAssignableFrom(type))
            .OrderBy(type => type.FullName, StringComparer.Ordinal);

    private static IEnumerable<Type> LoadableTypes(Assembly assembly, List<Problem> problems)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException error)
        {
            problems.AddRange(error.LoaderExceptions.OfType<Exception>().Select(ToProblem).Distinct());
            return error.Types.OfType<Type>();
        }
    }

    private static Problem ToProblem(Exception error) =>
        Thrown.MissingAssembly(error) is { } missing ? Problems.DependencyMissing(missing) : Problems.ClassNotLoaded(error);

    private static bool IsNative(string file)
    {
        try
        {
            using var reader = new PEReader(File.OpenRead(file));
            return !reader.HasMetadata;
        }
        catch (BadImageFormatException)
        {
            return false;
        }
    }
}
