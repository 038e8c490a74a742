using Microsoft.Build.Construction;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>Judges files as MSBuild has parsed them. In memory, the refused ones are emptied.</summary>
internal sealed class FileJudge(string sdkRoot, SdkPackages packages)
{
    private readonly object _lock = new();

    /// <summary>The refused files by path, because several projects share the parsed file.</summary>
    private readonly Dictionary<string, RefusedFile> _emptied = new(StringComparer.Ordinal);

    /// <summary>The SDKs that a file names, for each file whose property functions are all allowed.</summary>
    private readonly Dictionary<ProjectRootElement, IReadOnlyList<SdkReference>> _sdks = [];

    public bool IsOfSdk(string path) =>
        Path.GetFullPath(path).StartsWith(sdkRoot + Path.DirectorySeparatorChar, StringComparison.Ordinal);

    /// <summary>Returns what is not allowed in the file, and empties it; null if all is allowed.</summary>
    public RefusedFile? Check(ProjectRootElement file, string project)
    {
        lock (_lock)
        {
            if (_emptied.TryGetValue(file.FullPath, out var known))
                return known;
            var refused = FindRefused(file, project);
            if (refused is null)
                return null;
            Empty(file);
            return _emptied[file.FullPath] = refused;
        }
    }

    private RefusedFile? FindRefused(ProjectRootElement file, string project)
    {
        if (!_sdks.TryGetValue(file, out var sdks))
        {
            var text = ProjectText.Parse(XmlOf(file));
            if (text.FindRefusedFunction() is { } function)
                return new(file.FullPath, ProjectText.LineOf(file.FullPath, function), $"the property function {function}");
            sdks = text.Sdks();
            _sdks.Add(file, sdks);
        }
        var what = sdks.Select(sdk => packages.Judge(sdk, project) ?? packages.Judge(sdk, file.FullPath))
            .FirstOrDefault(problem => problem is not null);
        return what is null ? null : new(file.FullPath, Line: 0, what);
    }

    /// <summary>Reads the file itself if MSBuild does not give its XML, as for files of Microsoft below Program Files.</summary>
    private static string XmlOf(ProjectRootElement file)
    {
        try
        {
            return file.RawXml;
        }
        catch (InvalidOperationException)
        {
            return File.ReadAllText(file.FullPath);
        }
    }

    private static void Empty(ProjectRootElement file)
    {
        file.RemoveAllChildren();
        file.Sdk = "";
        file.InitialTargets = "";
        file.DefaultTargets = "";
        file.TreatAsLocalProperty = "";
    }
}
