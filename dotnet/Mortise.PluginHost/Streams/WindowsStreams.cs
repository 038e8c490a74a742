using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Mortise.PluginHost.Streams;

/// <summary>
/// For Windows. The protocol keeps the standard handles, which child processes do not inherit, and the process gets
/// other ones.
/// </summary>
[SupportedOSPlatform("windows")]
internal static partial class WindowsStreams
{
    private const int StandardInput = -10;
    private const int StandardOutput = -11;
    private const int StandardError = -12;
    private const uint Inherit = 1;
    private const uint GenericRead = 0x80000000;
    private const uint ShareReadAndWrite = 3;
    private const uint OpenExisting = 3;

    public static ProtocolStreams Take()
    {
        // The streams keep the handles with which they were created, so they are created before these are replaced.
        var streams = new ProtocolStreams(Console.OpenStandardInput(), Console.OpenStandardOutput());
        Check(SetHandleInformation(GetStdHandle(StandardInput), Inherit, 0));
        Check(SetHandleInformation(GetStdHandle(StandardOutput), Inherit, 0));
        Check(SetStdHandle(StandardInput, OpenNothing()));
        Check(SetStdHandle(StandardOutput, GetStdHandle(StandardError)));
        return streams;
    }

    private static IntPtr OpenNothing()
    {
        var inheritable = new SecurityAttributes { Length = Marshal.SizeOf<SecurityAttributes>(), InheritHandle = 1 };
        var handle = CreateFileW("NUL", GenericRead, ShareReadAndWrite, inheritable, OpenExisting, 0, IntPtr.Zero);
        Check(handle != new IntPtr(-1));
        return handle;
    }

    private static void Check(bool succeeded)
    {
        if (!succeeded)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct SecurityAttributes
    {
        public int Length;
        public IntPtr Descriptor;
        public int InheritHandle;
    }

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial IntPtr GetStdHandle(int which);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetStdHandle(int which, IntPtr handle);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetHandleInformation(IntPtr handle, uint mask, uint flags);

    [LibraryImport("kernel32", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    private static partial IntPtr CreateFileW(
        string name,
        uint access,
        uint share,
        in SecurityAttributes attributes,
        uint disposition,
        uint flags,
        IntPtr template);
}
