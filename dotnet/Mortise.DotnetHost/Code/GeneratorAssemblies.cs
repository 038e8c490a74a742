using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Mortise.DotnetHost.Code;

/// <summary>Loads generators, those of a folder together. They get the Roslyn of this process.</summary>
internal sealed class GeneratorAssemblies : IAnalyzerAssemblyLoader
{
    private static readonly GeneratorAssemblies Loader = new();
    private static readonly ConcurrentDictionary<string, AnalyzerReference> References = new(StringComparer.Ordinal);

    private readonly ConcurrentDictionary<string, FolderContext> _contexts = new(StringComparer.Ordinal);

    public static AnalyzerReference Get(string path) =>
        References.GetOrAdd(path, _ => new AnalyzerFileReference(path, Loader));

    public void AddDependencyLocation(string fullPath)
    {
    }

    public Assembly LoadFromPath(string fullPath) =>
        _contexts.GetOrAdd(Path.GetDirectoryName(fullPath)!, folder => new(folder)).LoadFromAssemblyPath(fullPath);

    private sealed class FolderContext(string folder) : AssemblyLoadContext
    {
        protected override Assembly? Load(AssemblyName name)
        {
            var file = Path.Combine(folder, name.Name + ".dll");
            return IsShared(name.Name!) || !File.Exists(file) ? null : LoadFromAssemblyPath(file);
        }

        private static bool IsShared(string name) => name is "Microsoft.CodeAnalysis" or "Microsoft.CodeAnalysis.CSharp"
            or "System.Collections.Immutable" or "System.Reflection.Metadata";
    }
}
