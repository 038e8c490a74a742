namespace Mortise.PluginHost.Streams;

/// <summary>The streams that belong to the protocol alone.</summary>
internal sealed record ProtocolStreams(Stream Input, Stream Output)
{
    /// <summary>
    /// Takes stdin and stdout away from everybody else: from then on Console.Out, file descriptor 1 and children that
    /// inherit it lead to stderr, and stdin is empty.
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
