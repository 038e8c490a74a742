namespace Mortise.PluginHost.Loading;

/// <summary>The reason why a plugin or a class is refused, or a warning for its author.</summary>
/// <param name="Code">One of the problem codes of @mortise/plugin.</param>
/// <param name="Hint">The next step, as an imperative.</param>
/// <param name="Subject">The full name of the class; null for the whole plugin.</param>
/// <param name="Place">
/// The place in the author's code that threw; null if it is unknown, for example without a .pdb.
/// </param>
internal sealed record Problem(
    string Code,
    string Message,
    string Hint,
    string? Subject = null,
    bool IsWarning = false,
    CodePlace? Place = null);

/// <summary>A line of a source file.</summary>
internal sealed record CodePlace(string File, int Line);
