using System.Reflection;
using System.Runtime.Loader;

namespace Mortise.DotnetHost.Hosting;

/// <summary>
/// Loads MSBuild and Roslyn from the SDK that is served. The process is compiled against those of the oldest SDK.
/// </summary>
internal static class SdkAssemblies
{
    /// <summary>Returns the folder of an SDK that contains Roslyn's workspaces: the one of `dotnet format`.</summary>
    public static string RoslynFolder(string sdk) => Path.Combine(sdk, "DotnetTools", "dotnet-format");

    /// <summary>Returns a file that the process needs and the SDK does not have; null if it has all.</summary>
    public static string? MissingIn(string sdk)
    {
        string[] needed = [Path.Combine(sdk, "MSBuild.dll"), Path.Combine(RoslynFolder(sdk), "Microsoft.CodeAnalysis.CSharp.Workspaces.dll")];
        return needed.FirstOrDefault(file => !File.Exists(file));
    }

    /// <summary>Resolves assemblies from the SDK. Its own folder comes first, because Roslyn's also has an MSBuild.</summary>
    public static void Use(string sdk)
    {
        string[] folders = [sdk, RoslynFolder(sdk)];
        AssemblyLoadContext.Default.Resolving += (context, name) => folders
            .Select(folder => Path.Combine(folder, name.Name + ".dll"))
            .Where(file => File.Exists(file) && HasAtLeastVersion(file, name))
            .Select(context.LoadFromAssemblyPath)
            .FirstOrDefault();
        // `dotnet msbuild` sets the same variables.
        Environment.SetEnvironmentVariable("DOTNET_HOST_PATH", Environment.ProcessPath);
        Environment.SetEnvironmentVariable("MSBUILD_EXE_PATH", Path.Combine(sdk, "MSBuild.dll"));
        Environment.SetEnvironmentVariable("MSBuildExtensionsPath", sdk + Path.DirectorySeparatorChar);
        Environment.SetEnvironmentVariable("MSBuildSDKsPath", Path.Combine(sdk, "Sdks"));
    }

    private static bool HasAtLeastVersion(string file, AssemblyName wanted) =>
        wanted.Version is null || AssemblyName.GetAssemblyName(file).Version >= wanted.Version;
}
