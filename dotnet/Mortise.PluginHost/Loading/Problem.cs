namespace Mortise.PluginHost.Loading;

/// <summary>Why a plugin or a class is refused, or what its author should know.</summary>
/// <param name="Code">One of the codes of @mortise/plugin.</param>
/// <param name="Hint">The next step.</param>
/// <param name="Subject">The full name of the class; null for the whole plugin.</param>
/// <param name="Place">Where the author's code threw, if its .pdb tells.</param>
internal sealed record Problem(
    string Code,
    string Message,
    string Hint,
    string? Subject = null,
    bool IsWarning = false,
    CodePlace? Place = null);

/// <summary>A line of a source file.</summary>
internal sealed record CodePlace(string File, int Line);
