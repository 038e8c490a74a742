namespace Mortise.PluginHost.Streams;

/// <summary>The streams that only the protocol uses.</summary>
internal sealed record ProtocolStreams(Stream Input, Stream Output)
{
    /// <summary>
    /// Takes stdin and stdout for the protocol. For all other code and for child processes, standard output then leads
    /// to stderr, and standard input is empty.
    /// </summary>
    public static ProtocolStreams Take()
    {
        if (OperatingSystem.IsWindows())
        {
            return WindowsStreams.Take();
        }
        return PosixStreams.Take();
    }
}
