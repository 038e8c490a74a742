using Microsoft.Build.Framework;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>Sets a variable when an import is reported, so that the imported file can read whether it was reported first.</summary>
internal sealed class ImportProbe : ILogger
{
    public const string Variable = "MORTISE_IMPORT_PROBE";

    public const string Reported = "reported";

    public LoggerVerbosity Verbosity { get; set; } = LoggerVerbosity.Diagnostic;

    public string? Parameters { get; set; }

    public void Initialize(IEventSource eventSource) => eventSource.MessageRaised += (_, message) =>
    {
        if (message is ProjectImportedEventArgs)
            Environment.SetEnvironmentVariable(Variable, Reported);
    };

    public void Shutdown()
    {
    }
}
