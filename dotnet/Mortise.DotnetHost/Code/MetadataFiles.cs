using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>Assemblies to compile against, shared between projects while their files stay the same.</summary>
internal static class MetadataFiles
{
    private static readonly ConcurrentDictionary<(string Path, DateTime Changed, long Length), MetadataReference> References = new();

    public static MetadataReference Get(string path)
    {
        var file = new FileInfo(path);
        return References.GetOrAdd((path, file.LastWriteTimeUtc, file.Length), _ => Create(path));
    }

    private static PortableExecutableReference Create(string path)
    {
        var documentation = Path.ChangeExtension(path, ".xml");
        return MetadataReference.CreateFromFile(
            path, documentation: File.Exists(documentation) ? XmlDocumentationProvider.CreateFromFile(documentation) : null);
    }
}
