using McpServer.Tools;
using ModelContextProtocol.Protocol;

namespace Mortise.PluginHost.Loading;

/// <summary>A tool of the plugin with what its members said when it was loaded.</summary>
internal sealed record LoadedTool(ITool Instance, Tool Definition);

/// <summary>What a DLL came to.</summary>
/// <param name="Tools">By name, in the order of their classes' full names.</param>
/// <param name="Instances">Every tool that was made, those that are not offered included: all are disposed.</param>
internal sealed record LoadedPlugin(
    IReadOnlyDictionary<string, LoadedTool> Tools,
    IReadOnlyList<Problem> Problems,
    IReadOnlyList<ITool> Instances,
    PluginLoadContext? Context);
