using System.Reflection;
using System.Runtime.Loader;

namespace Mortise.DotnetHost.Hosting;

/// <summary>MSBuild and Roslyn as the SDK has them. The process is compiled against the ones of the oldest SDK.</summary>
internal static class SdkAssemblies
{
    /// <summary>The folder of an SDK with Roslyn's workspaces: that of `dotnet format`.</summary>
    public static string RoslynFolder(string sdk) => Path.Combine(sdk, "DotnetTools", "dotnet-format");

    /// <summary>The file that the process needs and an SDK lacks; null if it has all.</summary>
    public static string? MissingIn(string sdk)
    {
        string[] needed = [Path.Combine(sdk, "MSBuild.dll"), Path.Combine(RoslynFolder(sdk), "Microsoft.CodeAnalysis.CSharp.Workspaces.dll")];
        return needed.FirstOrDefault(file => !File.Exists(file));
    }

    /// <summary>Resolves assemblies from the SDK. Roslyn's folder has an MSBuild of its own, so the SDK's comes first.</summary>
    public static void Use(string sdk)
    {
        string[] folders = [sdk, RoslynFolder(sdk)];
        AssemblyLoadContext.Default.Resolving += (context, name) => folders
            .Select(folder => Path.Combine(folder, name.Name + ".dll"))
            .Where(file => File.Exists(file) && IsEnough(file, name))
            .Select(context.LoadFromAssemblyPath)
            .FirstOrDefault();
        // The variables that `dotnet msbuild` sets.
        Environment.SetEnvironmentVariable("DOTNET_HOST_PATH", Environment.ProcessPath);
        Environment.SetEnvironmentVariable("MSBUILD_EXE_PATH", Path.Combine(sdk, "MSBuild.dll"));
        Environment.SetEnvironmentVariable("MSBuildExtensionsPath", sdk + Path.DirectorySeparatorChar);
        Environment.SetEnvironmentVariable("MSBuildSDKsPath", Path.Combine(sdk, "Sdks"));
    }

    private static bool IsEnough(string file, AssemblyName wanted) =>
        wanted.Version is null || AssemblyName.GetAssemblyName(file).Version >= wanted.Version;
}
