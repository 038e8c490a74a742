using System.Security;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// A C# file without a project, as <c>dotnet run app.cs</c> takes it since .NET SDK 10. The SDK makes its project in memory
/// from the directives at the top of the file, and so does this class.
/// </summary>
internal static partial class FileBasedApp
{
    private const int FirstSdk = 10;

    public static bool Is(string path) => path.EndsWith(".cs", StringComparison.OrdinalIgnoreCase);

    /// <summary>The path of the project in memory; that of a project file itself.</summary>
    public static string ProjectPath(string path) => Is(path) ? path + ".csproj" : path;

    /// <exception cref="NotSupportedException">The SDK has no file-based apps.</exception>
    public static ProjectRootElement Open(string path, ProjectCollection collection)
    {
        var sdk = Path.GetFileName(Path.TrimEndingDirectorySeparator(collection.GetToolset(collection.DefaultToolsVersion).ToolsPath));
        var major = int.Parse(sdk.Split('.')[0]);
        if (major < FirstSdk)
            throw new NotSupportedException($"The .NET SDK {sdk} has no file-based apps; .NET SDK {FirstSdk} has them.");
        using var reader = XmlReader.Create(new StringReader(ProjectOf(path, $"net{major}.0")));
        var project = ProjectRootElement.Create(reader, collection);
        project.FullPath = ProjectPath(path);
        return project;
    }

    private static string ProjectOf(string path, string framework)
    {
        var directives = File.ReadLines(path).TakeWhile(line => BeforeCode().IsMatch(line))
            .Select(line => Directive().Match(line)).Where(match => match.Success)
            .ToLookup(match => match.Groups["kind"].Value, match => (Name: Xml(match.Groups["name"].Value), Value: Xml(match.Groups["value"].Value)));
        var sdks = directives["sdk"].DefaultIfEmpty((Name: "Microsoft.NET.Sdk", Value: "")).ToList();
        return $"""
            <Project>
              <PropertyGroup>
                <ArtifactsPath>{Text(ArtifactsOf(path))}</ArtifactsPath>
                <IncludeProjectNameInArtifactsPaths>false</IncludeProjectNameInArtifactsPaths>
                <AssemblyName>{Text(Path.GetFileNameWithoutExtension(path))}</AssemblyName><RootNamespace>$(AssemblyName)</RootNamespace>
                <FileBasedProgram>true</FileBasedProgram>
                <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
                <DisableDefaultItemsInProjectFolder>true</DisableDefaultItemsInProjectFolder>
                <OutputType>Exe</OutputType><TargetFramework>{framework}</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable><PublishAot>true</PublishAot>
              </PropertyGroup>
              {All(sdks, one => $"<Import Project='Sdk.props' Sdk='{one.Name}'{Version(one.Value)} />")}
              <PropertyGroup>
                {All(directives["property"], one => $"<{one.Name}>{one.Value}</{one.Name}>")}
                <Features>$(Features);FileBasedProgram</Features>
              </PropertyGroup>
              <ItemGroup>
                {All(directives["package"], one => $"<PackageReference Include='{one.Name}'{Version(one.Value)} />")}
                {All(directives["project"], one => $"<ProjectReference Include='{ProjectIn(path, one.Name)}' />")}
                {All(directives["include"].Where(one => Is(one.Name)), one => $"<Compile Include='{one.Name}' />")}
                <Compile Include="{Text(path)}" Exclude="@(Compile)" />
              </ItemGroup>
              {All(sdks, one => $"<Import Project='Sdk.targets' Sdk='{one.Name}'{Version(one.Value)} />")}
            </Project>
            """;
    }

    private static string All<T>(IEnumerable<T> list, Func<T, string> write) => string.Concat(list.Select(write));

    private static string Version(string version) => version == "" ? "" : $" Version='{version}'";

    /// <summary>A folder means the project in it.</summary>
    private static string ProjectIn(string app, string value)
    {
        var folder = Path.GetFullPath(value.Replace('\\', '/'), Path.GetDirectoryName(app)!);
        return Directory.Exists(folder) && Directory.GetFiles(folder, "*.*proj") is [var project] ? Text(project) : value;
    }

    /// <summary>The folder where the SDK restores and builds the app.</summary>
    private static string ArtifactsOf(string path)
    {
        var root = OperatingSystem.IsWindows() ? Path.GetTempPath() : Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes(path.ToUpperInvariant()));
        return Path.Combine(root, "dotnet", "runfile", $"{Path.GetFileNameWithoutExtension(path)}-{Convert.ToHexString(hash).ToLowerInvariant()}");
    }

    private static string Text(string text) => Xml(ProjectCollection.Escape(text));

    private static string Xml(string text) => SecurityElement.Escape(text);

    [GeneratedRegex(@"^\s*(#|//|/?\*|$)")]
    private static partial Regex BeforeCode();

    [GeneratedRegex(@"^\s*#:\s*(?:(?<kind>sdk|package)\s+(?<name>[^@]+?)\s*(?:@\s*(?<value>.*?))?|(?<kind>property)\s+(?<name>[A-Za-z_][\w-]*)\s*=\s*(?<value>.*?)|(?<kind>project|include)\s+(?<name>.*?))\s*$")]
    private static partial Regex Directive();
}
