using System.Runtime.InteropServices;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>
/// Landlock of Linux, by which a thread gives up rights for itself and for the threads that it starts, until it ends. The
/// numbers of the system calls are the same on x64 and arm64.
/// </summary>
internal static class Landlock
{
    private const int CreateRuleset = 444;
    private const int AddRule = 445;
    private const int RestrictSelf = 446;
    private const nint VersionFlag = 1;
    private const nint PathBeneath = 1;
    private const int OpenPath = 0x200000;
    private const int SetNoNewPrivileges = 38;

    private const ulong Execute = 1 << 0;
    private const ulong WriteFile = 1 << 1;

    /// <summary>The nine rights from removing a folder to making a symbolic link.</summary>
    private const ulong RemoveAndMake = 0b1_1111_1111 << 4;
    private const ulong LinkAcrossFolders = 1 << 13;
    private const ulong Truncate = 1 << 14;

    /// <summary>
    /// After this call, the thread can no longer start programs, and can no longer write, create, move or remove files
    /// outside one folder. Returns false if the restriction could not be set, for example on a system without Landlock.
    /// </summary>
    public static bool GiveUpWriting(string exceptIn)
    {
        if (!OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.Arm64))
            return false;
        var version = Call(CreateRuleset, 0, 0, VersionFlag);
        if (version < 1)
            return false;
        var rights = Execute | WriteFile | RemoveAndMake;
        if (version >= 2)
            rights |= LinkAcrossFolders;
        if (version >= 3)
            rights |= Truncate;
        var ruleset = Create(CreateRuleset, in rights, sizeof(ulong), 0);
        if (ruleset < 0)
            return false;
        try
        {
            Allow(ruleset, exceptIn, rights & ~Execute);
            return Control(SetNoNewPrivileges, 1, 0, 0, 0) == 0 && Call(RestrictSelf, ruleset, 0, 0) == 0;
        }
        finally
        {
            Close((int)ruleset);
        }
    }

    private static void Allow(nint ruleset, string folder, ulong rights)
    {
        var parent = Open(folder, OpenPath);
        if (parent < 0)
            return;
        Add(AddRule, ruleset, PathBeneath, new Rule { Rights = rights, Folder = parent }, 0);
        Close(parent);
    }

    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    private struct Rule
    {
        public ulong Rights;
        public int Folder;
    }

    [DllImport("libc", EntryPoint = "syscall")]
    private static extern nint Add(nint number, nint ruleset, nint type, in Rule rule, nint flags);

    [DllImport("libc", EntryPoint = "open")]
    private static extern int Open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags);

    [DllImport("libc", EntryPoint = "syscall")]
    private static extern nint Call(nint number, nint first, nint second, nint third);

    [DllImport("libc", EntryPoint = "syscall")]
    private static extern nint Create(nint number, in ulong attributes, nint size, nint flags);

    [DllImport("libc", EntryPoint = "prctl")]
    private static extern int Control(int option, nint second, nint third, nint fourth, nint fifth);

    [DllImport("libc", EntryPoint = "close")]
    private static extern int Close(int descriptor);
}
