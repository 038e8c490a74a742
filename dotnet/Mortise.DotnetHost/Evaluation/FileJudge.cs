using Microsoft.Build.Construction;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>Judges files as MSBuild has read them, and empties those that it refuses.</summary>
internal sealed class FileJudge(string sdkRoot, SdkPackages packages)
{
    private readonly object _lock = new();

    /// <summary>Several projects share what MSBuild has read of a file.</summary>
    private readonly Dictionary<string, RefusedFile> _emptied = new(StringComparer.Ordinal);

    /// <summary>Files without property functions that are refused, with the SDKs that they name.</summary>
    private readonly Dictionary<ProjectRootElement, IReadOnlyList<SdkReference>> _judged = [];

    public bool IsOfSdk(string path) =>
        Path.GetFullPath(path).StartsWith(sdkRoot + Path.DirectorySeparatorChar, StringComparison.Ordinal);

    /// <summary>What is not allowed in the file; null if all is.</summary>
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
        if (!_judged.TryGetValue(file, out var sdks))
        {
            var text = ProjectText.Parse(XmlOf(file));
            if (text.FindRefusedFunction() is { } function)
                return new(file.FullPath, ProjectText.LineOf(file.FullPath, function), $"the property function {function}");
            sdks = text.Sdks();
            _judged.Add(file, sdks);
        }
        var what = sdks.Select(sdk => packages.Judge(sdk, project) ?? packages.Judge(sdk, file.FullPath))
            .FirstOrDefault(one => one is not null);
        return what is null ? null : new(file.FullPath, Line: 0, what);
    }

    /// <summary>MSBuild cannot give the XML of files that it protects: those of Microsoft below Program Files.</summary>
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
