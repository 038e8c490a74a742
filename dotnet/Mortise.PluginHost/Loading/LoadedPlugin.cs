using McpServer.Tools;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Loading;

/// <summary>A tool of the plugin, and its definition from the time when it was loaded.</summary>
internal sealed record LoadedTool(ITool Instance, Tool Definition);

/// <summary>The tools and problems of a DLL.</summary>
/// <param name="Tools">The tools by name, in the order of the full names of their classes.</param>
/// <param name="Instances">All instances to dispose, including those that are not offered as tools.</param>
internal sealed record LoadedPlugin(
    IReadOnlyDictionary<string, LoadedTool> Tools,
    IReadOnlyList<Problem> Problems,
    IReadOnlyList<ITool> Instances,
    PluginLoadContext? Context);
