using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mortise.DotnetHost.Code;

/// <summary>
/// The command line of the compiler that the targets of the SDK would make, as far as it changes what code means. The
/// compiler's own parser reads it.
/// </summary>
internal static class CompilerOptions
{
    public static (CSharpCompilationOptions Compilation, CSharpParseOptions Parse) Of(IReadOnlyList<string> arguments, string folder)
    {
        var parsed = CSharpCommandLineParser.Default.Parse(arguments, folder, sdkDirectory: null);
        var compilation = parsed.CompilationOptions
            .WithAssemblyIdentityComparer(DesktopAssemblyIdentityComparer.Default)
            // Comments may include files, which nobody asked to read.
            .WithXmlReferenceResolver(null)
            .WithStrongNameProvider(new DesktopStrongNameProvider())
            .WithConcurrentBuild(true);
        // Comments are read also where the build does not check them, for their text and the symbols that they name.
        var isChecked = parsed.ParseOptions.DocumentationMode != DocumentationMode.None;
        return (compilation, isChecked ? parsed.ParseOptions : parsed.ParseOptions.WithDocumentationMode(DocumentationMode.Parse));
    }

    public static IReadOnlyList<string> Arguments(ProjectFacts facts)
    {
        var isDocumented = facts.Is("GenerateDocumentationFile") || facts["DocumentationFile"] != "";
        var interceptors = facts["InterceptorsNamespaces"] + ";" + facts["InterceptorsPreviewNamespaces"];
        string?[] arguments =
        [
            $"/target:{(facts["OutputType"] is "" ? "library" : facts["OutputType"].ToLowerInvariant())}",
            $"/define:{string.Join(';', Defines(facts))}",
            Option("langversion", facts["LangVersion"]),
            Option("nullable", facts["Nullable"]),
            Option("warn", facts["WarningLevel"]),
            .. facts.List("Features").Select(feature => $"/features:{feature}"),
            Option("nowarn", string.Join(',', facts.List("NoWarn"))),
            facts.Is("AllowUnsafeBlocks") ? "/unsafe+" : null,
            facts.Is("CheckForOverflowUnderflow") ? "/checked+" : null,
            facts.Is("TreatWarningsAsErrors") ? "/warnaserror+" : null,
            Option("warnaserror+", string.Join(',', facts.List("WarningsAsErrors"))),
            Option("warnaserror-", string.Join(',', facts.List("WarningsNotAsErrors"))),
            isDocumented ? "/doc:documentation.xml" : null,
            interceptors == ";" ? null : $"/features:InterceptorsNamespaces={interceptors}",
            facts.Is("SignAssembly") && facts["AssemblyOriginatorKeyFile"] != ""
                ? $"/keyfile:{facts.FullPath(facts["AssemblyOriginatorKeyFile"])}" : null,
            facts.Is("PublicSign") ? "/publicsign+" : null,
        ];
        return arguments.OfType<string>().ToList();
    }

    private static string? Option(string name, string value) => value == "" ? null : $"/{name}:{value}";

    private static IEnumerable<string> Defines(ProjectFacts facts)
    {
        var declared = facts.List("DefineConstants");
        return facts.Is("DisableImplicitFrameworkDefines") ? declared : declared.Concat(ImplicitDefines(facts));
    }

    /// <summary>Those that the target AddImplicitDefineConstants adds.</summary>
    private static IEnumerable<string> ImplicitDefines(ProjectFacts facts)
    {
        if (!Version.TryParse(facts["TargetFrameworkVersion"].TrimStart('v'), out var version))
            return [];
        var platform = facts.Framework.Split('-') is [_, var name] ? name.TrimEnd([.. "0123456789."]) : "";
        IEnumerable<string> platforms = platform == "" ? [] : [platform.ToUpperInvariant()];
        return platforms.Concat(facts["TargetFrameworkIdentifier"] switch
        {
            ".NETCoreApp" when version.Major >= 5 =>
            [
                "NET", $"NET{version.Major}_{version.Minor}", "NETCOREAPP",
                .. Enumerable.Range(5, version.Major - 4).Select(major => $"NET{major}_0_OR_GREATER"),
                .. UpTo(version, "NETCOREAPP", "1.0 1.1 2.0 2.1 2.2 3.0 3.1", "_"),
            ],
            ".NETCoreApp" =>
            [
                "NETCOREAPP", $"NETCOREAPP{version.Major}_{version.Minor}",
                .. UpTo(version, "NETCOREAPP", "1.0 1.1 2.0 2.1 2.2 3.0 3.1", "_"),
            ],
            ".NETStandard" =>
            [
                "NETSTANDARD", $"NETSTANDARD{version.Major}_{version.Minor}",
                .. UpTo(version, "NETSTANDARD", "1.0 1.1 1.2 1.3 1.4 1.5 1.6 2.0 2.1", "_"),
            ],
            ".NETFramework" =>
            [
                "NETFRAMEWORK", $"NET{version.ToString().Replace(".", "")}",
                .. UpTo(version, "NET", "2.0 3.5 4.0 4.5 4.5.1 4.5.2 4.6 4.6.1 4.6.2 4.7 4.7.1 4.7.2 4.8 4.8.1", ""),
            ],
            _ => Array.Empty<string>(),
        });
    }

    private static IEnumerable<string> UpTo(Version version, string prefix, string versions, string separator) => versions
        .Split(' ')
        .Where(one => Version.Parse(one) <= version)
        .Select(one => $"{prefix}{one.Replace(".", separator)}_OR_GREATER");
}
