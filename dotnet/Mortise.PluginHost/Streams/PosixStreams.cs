using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Mortise.PluginHost.Streams;

/// <summary>
/// For Linux and macOS. The protocol gets copies of descriptors 0 and 1 that child processes do not inherit.
/// </summary>
[UnsupportedOSPlatform("windows")]
internal static partial class PosixStreams
{
    private const int StandardInput = 0;
    private const int StandardOutput = 1;
    private const int StandardError = 2;

    public static ProtocolStreams Take()
    {
        var input = Copy(StandardInput);
        var output = Copy(StandardOutput);
        using var empty = File.OpenHandle("/dev/null");
        Replace(StandardInput, (int)empty.DangerousGetHandle());
        Replace(StandardOutput, StandardError);
        return new ProtocolStreams(
            new FileStream(input, FileAccess.Read, bufferSize: 0),
            new FileStream(output, FileAccess.Write, bufferSize: 0));
    }

    private static SafeFileHandle Copy(int descriptor)
    {
        var copy = dup(descriptor);
        // FIOCLEX. fcntl cannot be called from .NET on every platform, because it has variable arguments.
        if (copy < 0 || ioctl(copy, OperatingSystem.IsMacOS() ? 0x20006601u : 0x5451u) < 0)
        {
            throw new IOException($"Descriptor {descriptor} cannot be copied: error {Marshal.GetLastPInvokeError()}");
        }
        return new SafeFileHandle(copy, ownsHandle: true);
    }

    private static void Replace(int descriptor, int replacement)
    {
        if (dup2(replacement, descriptor) < 0)
        {
            throw new IOException($"Descriptor {descriptor} cannot be replaced: error {Marshal.GetLastPInvokeError()}");
        }
    }

    [LibraryImport("libc", SetLastError = true)]
    private static partial int dup(int descriptor);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int dup2(int from, int to);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int ioctl(int descriptor, nuint request);
}
