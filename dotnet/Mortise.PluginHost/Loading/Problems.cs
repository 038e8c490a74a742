using System.Reflection;

namespace Mortise.PluginHost.Loading;

/// <summary>Creates the problems of plugins with their messages and hints.</summary>
internal static class Problems
{
    public static Problem Unreadable(string file, Exception error) => new(
        "PLUGIN_UNREADABLE",
        $"{file} cannot be read: {Thrown.MessageOf(error)}",
        "Check that the file exists and that this user may read it.");

    public static Problem NotManaged(string file) => new(
        "PLUGIN_KIND_UNSUPPORTED",
        $"{Path.GetFileName(file)} is a native library, not a .NET assembly",
        "Set the path of the plugin to its .NET assembly, and put native libraries into the same folder.");

    public static Problem Damaged(string file, Exception error) => new(
        "PLUGIN_SYNTAX_ERROR",
        $"{Path.GetFileName(file)} cannot be loaded: {Thrown.MessageOf(error)}",
        "Build the plugin again, as a class library for AnyCPU, and copy its whole output.");

    public static Problem DependencyMissing(AssemblyName missing, string? subject = null)
    {
        var name = $"{missing.Name} {missing.Version}";
        if (IsNewerFramework(missing))
        {
            return new(
                "PLUGIN_DEPENDENCY_MISSING",
                $"The plugin needs .NET {missing.Version?.Major}, but runs on {Environment.Version}",
                $"Install the .NET {missing.Version?.Major} runtime, or build the plugin for net{Environment.Version.Major}.0.",
                subject);
        }
        return new(
            "PLUGIN_DEPENDENCY_MISSING",
            $"The assembly {name} cannot be found or loaded",
            $"Put {missing.Name}.dll beside the plugin. `dotnet build` copies it there if the project sets <EnableDynamicLoading>true</EnableDynamicLoading>.",
            subject);
    }

    public static Problem ClassNotLoaded(Exception error) => new(
        "CLASS_NOT_LOADED",
        Thrown.MessageOf(error),
        "Build the plugin again, with the versions of its dependencies that are in its folder.",
        (error as TypeLoadException)?.TypeName);

    public static Problem ConstructorShape(Type type) => new(
        "CLASS_CONSTRUCTOR_SHAPE",
        $"{type.FullName} has no public constructor that the host can call, and is ignored",
        $"Write `public {type.Name}()` or `public {type.Name}(PluginContext context)`.",
        type.FullName,
        IsWarning: true);

    public static Problem ConstructorThrew(Type type, Exception error) => new(
        "CLASS_CONSTRUCTOR_THREW",
        $"The constructor of {type.FullName} threw {Thrown.Describe(error)}",
        "Correct what throws in the constructor; often a setting under Plugins.Config is missing.",
        type.FullName,
        Place: Thrown.PlaceOf(error));

    public static Problem MemberThrew(Type type, string member, Exception error) =>
        Malformed(type, $"{member} of {type.FullName} threw {Thrown.Describe(error)}", Thrown.PlaceOf(error));

    public static Problem MemberMissing(Type type, string member) =>
        Malformed(type, $"{member} of {type.FullName} is null");

    public static Problem SchemaInvalid(Type type, string reason) => new(
        "TOOL_SCHEMA_INVALID",
        $"InputSchema of {type.FullName}: {reason}",
        "Give a JsonSchema of Type \"object\" whose defaults are plain values.",
        type.FullName);

    public static Problem NameDuplicate(Type type, string name, Type first) => new(
        "TOOL_NAME_DUPLICATE",
        $"{type.FullName} has the name '{name}', which {first.FullName} has already",
        "Rename one of the two.",
        type.FullName);

    private static Problem Malformed(Type type, string message, CodePlace? place = null) => new(
        "TOOL_MALFORMED",
        message,
        "Correct that member; the other tools of the plugin are not affected.",
        type.FullName,
        Place: place);

    private static bool IsNewerFramework(AssemblyName missing) =>
        missing.Name is "System.Runtime" or "System.Private.CoreLib" or "netstandard"
        && missing.Version is { } version
        && version > Environment.Version;
}
