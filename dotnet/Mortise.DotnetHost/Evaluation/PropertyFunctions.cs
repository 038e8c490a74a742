using System.Text.RegularExpressions;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// Judges the property functions in a text of a project: those that only compute or read are allowed, all others are
/// refused. The allow-list of MSBuild itself is no sandbox: <c>Directory.GetParent</c> returns an object that can delete
/// folders, and <c>Path.GetTempFileName</c> creates a file.
/// <para>
/// Functions occur only in <c>$(…)</c>. There, and in its arguments, each expression begins with a static member,
/// <c>[Type]::Member</c>, or with a property, whose value is a string. All allowed static members except GetParent return
/// values such as strings, numbers, versions and dates. Members of values also return values, so any member may follow.
/// After GetParent, only members that read may follow, up to one that returns a string.
/// </para>
/// </summary>
internal static partial class PropertyFunctions
{
    private const string Directory = "System.IO.Directory";

    /// <summary>Types of which each static member returns a value and changes nothing.</summary>
    private static readonly HashSet<string> ValueTypes = Words("""
        Microsoft.Build.Utilities.ToolLocationHelper System.Boolean System.Byte System.Char System.Convert System.DateTime
        System.DateTimeOffset System.Decimal System.Double System.Enum System.Guid System.Int16 System.Int32 System.Int64
        System.Math System.OperatingSystem System.Runtime.InteropServices.OSPlatform
        System.Runtime.InteropServices.RuntimeInformation System.SByte System.Single System.String System.StringComparer
        System.StringComparison System.Text.RegularExpressions.Regex System.TimeSpan System.UInt16 System.UInt32 System.UInt64
        System.Uri System.UriBuilder System.Version
        """);

    /// <summary>The members that only read, for each other type.</summary>
    private static readonly Dictionary<string, HashSet<string>> Members = new(StringComparer.OrdinalIgnoreCase)
    {
        ["MSBuild"] = Words("""
            Add AreFeaturesEnabled BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CheckFeatureAvailability ConvertFromBase64
            ConvertToBase64 DirectoryExists Divide DoesTaskHostExist EnsureTrailingSlash Escape FileExists
            FilterTargetFrameworks GetCurrentToolsDirectory GetDirectoryNameOfFileAbove GetMSBuildExtensionsPath
            GetMSBuildSDKsPath GetPathOfFileAbove GetProgramFiles32 GetRegistryValue GetRegistryValueFromView
            GetTargetFrameworkIdentifier GetTargetFrameworkVersion GetTargetPlatformIdentifier GetTargetPlatformVersion
            GetToolsDirectory32 GetToolsDirectory64 GetVsInstallRoot IsOSPlatform IsOsBsdLike IsOsUnixLike
            IsRunningFromVisualStudio IsTargetFrameworkCompatible LeftShift MakeRelative Modulo Multiply NormalizeDirectory
            NormalizePath RightShift RightShiftUnsigned StableStringHash SubstringByAsciiChars Subtract Unescape
            ValueOrDefault VersionEquals VersionGreaterThan VersionGreaterThanOrEquals VersionLessThan
            VersionLessThanOrEquals VersionNotEquals
            """),
        ["System.Environment"] = Words("""
            CommandLine ExpandEnvironmentVariables GetEnvironmentVariable GetEnvironmentVariables GetFolderPath
            GetLogicalDrives Is64BitOperatingSystem Is64BitProcess MachineName NewLine OSVersion ProcessorCount StackTrace
            SystemDirectory SystemPageSize TickCount UserDomainName UserInteractive UserName Version WorkingSet
            """),
        ["System.Globalization.CultureInfo"] = Words("CurrentUICulture GetCultureInfo new"),
        [Directory] = Words("Exists GetDirectories GetFiles GetLastAccessTime GetLastWriteTime GetParent"),
        ["System.IO.File"] = Words("""
            Exists GetAttributes GetCreationTime GetLastAccessTime GetLastWriteTime ReadAllText
            """),
        ["System.IO.Path"] = Words("""
            AltDirectorySeparatorChar ChangeExtension Combine DirectorySeparatorChar EndsInDirectorySeparator Exists
            GetDirectoryName GetExtension GetFileName GetFileNameWithoutExtension GetFullPath GetInvalidFileNameChars
            GetInvalidPathChars GetPathRoot GetRandomFileName GetRelativePath GetTempPath HasExtension IsPathFullyQualified
            IsPathRooted Join PathSeparator TrimEndingDirectorySeparator VolumeSeparatorChar
            """),
    };

    /// <summary>Members of a folder that return a folder.</summary>
    private static readonly HashSet<string> FolderToFolder = Words("Parent Root");
    /// <summary>Members of a folder that return a value.</summary>
    private static readonly HashSet<string> FolderToValue = Words("""
        CreationTime CreationTimeUtc Exists Extension FullName LastAccessTime LastAccessTimeUtc LastWriteTime
        LastWriteTimeUtc Name ToString
        """);

    /// <summary>Returns the first function in the text that is not allowed, as the text has it; null if there is none.</summary>
    public static string? FindRefused(string text)
    {
        for (var start = text.IndexOf("$(", StringComparison.Ordinal); start >= 0;)
        {
            var end = EndOfParentheses(text, start + 2);
            var refused = FindRefusedIn(text[(start + 2)..end]);
            if (refused is not null)
                return refused;
            start = text.IndexOf("$(", end, StringComparison.Ordinal);
        }
        return null;
    }

    private static string? FindRefusedIn(string body)
    {
        foreach (Match match in StaticMember().Matches(body))
        {
            var (type, member) = (match.Groups["type"].Value, match.Groups["member"].Value);
            var rest = body[(match.Index + match.Length)..];
            if (!IsAllowed(type, member) || CreatesFolder(member, rest))
                return $"[{type}]::{member}";
            if (string.Equals(member, "GetParent", StringComparison.OrdinalIgnoreCase) && RefusedMember(rest) is { } name)
                return $"[{type}]::{member}(…).{name}";
        }
        return body.Contains("GetType", StringComparison.OrdinalIgnoreCase) && GetTypeCall().IsMatch(body) ? "GetType" : null;
    }

    private static bool IsAllowed(string type, string member) =>
        ValueTypes.Contains(type) || (Members.TryGetValue(type, out var members) && members.Contains(member));

    /// <summary>Returns true for a call of GetFolderPath with a second argument, which can create the folder.</summary>
    private static bool CreatesFolder(string member, string rest) =>
        string.Equals(member, "GetFolderPath", StringComparison.OrdinalIgnoreCase) && Arguments(rest).Contains(',');

    private static string Arguments(string rest)
    {
        var open = rest.IndexOf('(');
        return open < 0 ? "" : rest[(open + 1)..EndOfParentheses(rest, open + 1)];
    }

    /// <summary>Returns the first member after the arguments of GetParent that does more than read; null if there is none.</summary>
    private static string? RefusedMember(string rest)
    {
        var open = rest.IndexOf('(');
        var position = open < 0 ? 0 : Math.Min(EndOfParentheses(rest, open + 1) + 1, rest.Length);
        while (InstanceMember().Match(rest, position) is { Success: true } match)
        {
            var name = match.Groups["member"].Value;
            if (FolderToValue.Contains(name))
                return null;
            if (!FolderToFolder.Contains(name))
                return name;
            position = match.Index + match.Length;
        }
        return null;
    }

    /// <summary>
    /// Returns the position of the closing parenthesis. As in MSBuild, quoted text does not count. If there is none, returns
    /// the end of the text, although MSBuild then expands nothing.
    /// </summary>
    private static int EndOfParentheses(string text, int start)
    {
        var depth = 1;
        for (var index = start; index < text.Length; index++)
        {
            var character = text[index];
            if (character is '\'' or '"' or '`')
            {
                index = text.IndexOf(character, index + 1);
                if (index < 0)
                    return text.Length;
            }
            else if (character == '(')
            {
                depth++;
            }
            else if (character == ')' && --depth == 0)
            {
                return index;
            }
        }
        return text.Length;
    }

    private static HashSet<string> Words(string text) =>
        new(text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries), StringComparer.OrdinalIgnoreCase);

    [GeneratedRegex(@"\[\s*(?<type>[^\[\]]*?)\s*\]\s*::\s*(?<member>\w*)")]
    private static partial Regex StaticMember();

    [GeneratedRegex(@"\G\s*(?:\(\s*\)\s*)?\.\s*(?<member>\w*)")]
    private static partial Regex InstanceMember();

    [GeneratedRegex(@"[.:]\s*GetType\b(?!Code)", RegexOptions.IgnoreCase)]
    private static partial Regex GetTypeCall();
}
