namespace McpServer.Progress;

/// <summary>Reports nothing: for tests, and for calls whose client wants no progress.</summary>
public sealed class NullProgressReporter : IProgressReporter
{
    /// <summary>One for all; it has no state.</summary>
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
