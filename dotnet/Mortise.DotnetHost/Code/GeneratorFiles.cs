using System.Collections.Concurrent;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Mortise.DotnetHost.Code;

/// <summary>Tells generators from analyzers by the metadata of a file, without loading it.</summary>
internal static class GeneratorFiles
{
    private static readonly ConcurrentDictionary<string, bool> Known = new(StringComparer.Ordinal);

    public static bool HasGenerator(string path) => Known.GetOrAdd(path, ReadsAsGenerator);

    private static bool ReadsAsGenerator(string path)
    {
        try
        {
            using var file = new PEReader(File.OpenRead(path));
            var metadata = file.GetMetadataReader();
            return metadata.TypeReferences.Select(metadata.GetTypeReference)
                .Any(type => metadata.StringComparer.Equals(type.Name, "GeneratorAttribute"));
        }
        catch (Exception error) when (error is IOException or BadImageFormatException or InvalidOperationException)
        {
            return false;
        }
    }
}
