using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.PortableExecutable;
using McpServer.Plugins;
using McpServer.Tools;
using Mortise.PluginHost.Serving;

namespace Mortise.PluginHost.Loading;

/// <summary>Creates the tools of a DLL. A problem with one class does not affect the others.</summary>
internal static class PluginLoader
{
    /// <summary>The first bytes of ELF files, and of Mach-O files for one processor and for several.</summary>
    private static readonly uint[] NativeMagic = [0x7F454C46, 0xCFFAEDFE, 0xCAFEBABE];

    /// <summary>
    /// Loads a plugin. Never throws; the faults of the plugin are in <see cref="LoadedPlugin.Problems"/>.
    /// </summary>
    public static LoadedPlugin Load(string file, PluginConfig config, ClientLog log, CurrentCaller caller)
    {
        var path = Path.GetFullPath(file);
        var problems = new List<Problem>();
        PluginLoadContext? context = null;
        try
        {
            context = new PluginLoadContext(path);
            PluginContext ContextFor(Type type) => new(config.Get, log.LoggerFor(type.FullName!), () => caller.Value);
            var tools = new ToolMaker(ContextFor, problems);
            var types = LoadableTypes(context.LoadFile(path), out var unloadable);
            foreach (var type in types.Where(IsTool).OrderBy(type => type.FullName, StringComparer.Ordinal))
            {
                tools.Make(type);
            }
            // If there are tools, classes that cannot be loaded get only a warning, because they may not be tools.
            problems.AddRange(unloadable.Select(problem => problem with { IsWarning = tools.Provided.Count > 0 }));
            return new LoadedPlugin(tools.Provided, problems, tools.Instances, context);
        }
        catch (Exception error)
        {
            problems.Add(WhyNotLoaded(path, error));
        }
        return new LoadedPlugin(new Dictionary<string, LoadedTool>(), problems, [], context);
    }

    private static Problem WhyNotLoaded(string file, Exception error) => error switch
    {
        FileNotFoundException when Thrown.MissingAssembly(error) is { } missing => Problems.DependencyMissing(missing),
        FileLoadException => Problems.Damaged(file, error),
        IOException or UnauthorizedAccessException => Problems.Unreadable(file, error),
        BadImageFormatException when IsNative(file) => Problems.NotManaged(file),
        _ => Problems.Damaged(file, error),
    };

    private static bool IsTool(Type type) =>
        type is { IsClass: true, IsVisible: true, IsAbstract: false, ContainsGenericParameters: false }
        && typeof(ITool).IsAssignableFrom(type);

    private static IEnumerable<Type> LoadableTypes(Assembly assembly, out IEnumerable<Problem> unloadable)
    {
        try
        {
            unloadable = [];
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException error)
        {
            unloadable = error.LoaderExceptions.OfType<Exception>().Select(ToProblem).Distinct();
            return error.Types.OfType<Type>();
        }
    }

    private static Problem ToProblem(Exception error) =>
        Thrown.MissingAssembly(error) is { } missing ? Problems.DependencyMissing(missing) : Problems.ClassNotLoaded(error);

    private static bool IsNative(string file)
    {
        using var stream = File.OpenRead(file);
        Span<byte> start = stackalloc byte[4];
        if (stream.Read(start) == start.Length && NativeMagic.Contains(BinaryPrimitives.ReadUInt32BigEndian(start)))
        {
            return true;
        }
        try
        {
            stream.Position = 0;
            using var reader = new PEReader(stream);
            return !reader.HasMetadata;
        }
        catch (BadImageFormatException)
        {
            return false;
        }
    }
}
