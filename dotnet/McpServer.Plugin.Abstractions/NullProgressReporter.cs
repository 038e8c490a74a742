namespace McpServer.Progress;

/// <summary>Ignores all reports, for tests and for calls whose client wants no progress.</summary>
public sealed class NullProgressReporter : IProgressReporter
{
    /// <summary>A shared instance, which is enough because reporters of this class have no state.</summary>
    public static readonly NullProgressReporter Instance = new();

    /// <inheritdoc />
    public void Report(int percent, string? message = null)
    {
    }

    /// <inheritdoc />
    public void Report(double progress, double? total = null)
    {
    }
}
