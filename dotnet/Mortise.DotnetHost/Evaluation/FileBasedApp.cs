using System.Security;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// A C# file without a project, which <c>dotnet run app.cs</c> can run since .NET SDK 10. As the SDK does, this class makes
/// its project in memory from the directives at the top of the file.
/// </summary>
internal static partial class FileBasedApp
{
    private const int FirstSdkMajor = 10;

    public static bool Is(string path) => path.EndsWith(".cs", StringComparison.OrdinalIgnoreCase);

    /// <summary>Returns the path of the project in memory; for a project file, its own path.</summary>
    public static string ProjectPath(string path) => Is(path) ? path + ".csproj" : path;

    /// <exception cref="NotSupportedException">Thrown if the SDK has no file-based apps.</exception>
    public static ProjectRootElement Open(string path, ProjectCollection collection)
    {
        var sdk = Path.GetFileName(Path.TrimEndingDirectorySeparator(collection.GetToolset(collection.DefaultToolsVersion).ToolsPath));
        var major = int.Parse(sdk.Split('.')[0]);
        if (major < FirstSdkMajor)
            throw new NotSupportedException($"The .NET SDK {sdk} has no file-based apps. Install .NET SDK {FirstSdkMajor} or a later one.");
        using var reader = XmlReader.Create(new StringReader(ProjectOf(path, $"net{major}.0")));
        var project = ProjectRootElement.Create(reader, collection);
        project.FullPath = ProjectPath(path);
        return project;
    }

    private static string ProjectOf(string path, string framework)
    {
        var directives = File.ReadLines(path).TakeWhile(line => BeforeCode().IsMatch(line))
            .Select(line => Directive().Match(line)).Where(match => match.Success)
            .ToLookup(match => match.Groups["kind"].Value, match => (Name: EscapeXml(match.Groups["name"].Value), Value: EscapeXml(match.Groups["value"].Value)));
        var sdks = directives["sdk"].DefaultIfEmpty((Name: "Microsoft.NET.Sdk", Value: "")).ToList();
        return $"""
            <Project>
              <PropertyGroup>
                <ArtifactsPath>{Escape(ArtifactsOf(path))}</ArtifactsPath>
                <IncludeProjectNameInArtifactsPaths>false</IncludeProjectNameInArtifactsPaths>
                <AssemblyName>{Escape(Path.GetFileNameWithoutExtension(path))}</AssemblyName><RootNamespace>$(AssemblyName)</RootNamespace>
                <FileBasedProgram>true</FileBasedProgram>
                <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
                <DisableDefaultItemsInProjectFolder>true</DisableDefaultItemsInProjectFolder>
                <OutputType>Exe</OutputType><TargetFramework>{framework}</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable><PublishAot>true</PublishAot>
              </PropertyGroup>
              {Concat(sdks, item => $"<Import Project='Sdk.props' Sdk='{item.Name}'{VersionAttribute(item.Value)} />")}
              <PropertyGroup>
                {Concat(directives["property"], item => $"<{item.Name}>{item.Value}</{item.Name}>")}
                <Features>$(Features);FileBasedProgram</Features>
              </PropertyGroup>
              <ItemGroup>
                {Concat(directives["package"], item => $"<PackageReference Include='{item.Name}'{VersionAttribute(item.Value)} />")}
                {Concat(directives["project"], item => $"<ProjectReference Include='{ProjectIn(path, item.Name)}' />")}
                {Concat(directives["include"].Where(item => Is(item.Name)), item => $"<Compile Include='{item.Name}' />")}
                <Compile Include="{Escape(path)}" Exclude="@(Compile)" />
              </ItemGroup>
              {Concat(sdks, item => $"<Import Project='Sdk.targets' Sdk='{item.Name}'{VersionAttribute(item.Value)} />")}
            </Project>
            """;
    }

    private static string Concat<T>(IEnumerable<T> list, Func<T, string> write) => string.Concat(list.Select(write));

    private static string VersionAttribute(string version) => version == "" ? "" : $" Version='{version}'";

    /// <summary>Returns the project that the value means: for a folder, the project in it.</summary>
    private static string ProjectIn(string app, string value)
    {
        var folder = Path.GetFullPath(value.Replace('\\', '/'), Path.GetDirectoryName(app)!);
        return Directory.Exists(folder) && Directory.GetFiles(folder, "*.*proj") is [var project] ? Escape(project) : value;
    }

    /// <summary>The folder where the SDK restores and builds the app.</summary>
    private static string ArtifactsOf(string path)
    {
        var root = OperatingSystem.IsWindows() ? Path.GetTempPath() : Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes(path.ToUpperInvariant()));
        return Path.Combine(root, "dotnet", "runfile", $"{Path.GetFileNameWithoutExtension(path)}-{Convert.ToHexString(hash).ToLowerInvariant()}");
    }

    private static string Escape(string text) => EscapeXml(ProjectCollection.Escape(text));

    private static string EscapeXml(string text) => SecurityElement.Escape(text);

    [GeneratedRegex(@"^\s*(#|//|/?\*|$)")]
    private static partial Regex BeforeCode();

    [GeneratedRegex(@"^\s*#:\s*(?:(?<kind>sdk|package)\s+(?<name>[^@]+?)\s*(?:@\s*(?<value>.*?))?|(?<kind>property)\s+(?<name>[A-Za-z_][\w-]*)\s*=\s*(?<value>.*?)|(?<kind>project|include)\s+(?<name>.*?))\s*$")]
    private static partial Regex Directive();
}
