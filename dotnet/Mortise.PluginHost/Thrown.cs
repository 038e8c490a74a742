using System.Diagnostics;
using System.Reflection;
using Mortise.PluginHost.Loading;

namespace Mortise.PluginHost;

/// <summary>What is said of an exception of a plugin.</summary>
internal static class Thrown
{
    /// <summary>Type and message, without the stack.</summary>
    public static string Describe(Exception error)
    {
        var cause = CauseOf(error);
        return $"{cause.GetType().FullName}: {MessageOf(cause)}";
    }

    /// <summary>Type and message, then the first frames of the stack that are neither the runtime's nor this program's.</summary>
    public static string OwnStack(Exception error)
    {
        var cause = CauseOf(error);
        var frames = (StackOf(cause) ?? "").Split('\n', StringSplitOptions.TrimEntries).Where(IsOwnFrame).Take(MaxFrames);
        var text = string.Join('\n', [Describe(cause), .. frames.Select(frame => $"   {frame}")]);
        return text.Length <= MaxStack ? text : text[..MaxStack];
    }

    /// <summary>The first place on the stack whose source file is known: the plugin's, which has its .pdb beside it.</summary>
    public static CodePlace? PlaceOf(Exception error)
    {
        try
        {
            var frames = new StackTrace(CauseOf(error), fNeedFileInfo: true).GetFrames();
            var own = frames.FirstOrDefault(frame => frame.GetFileName() is not null && !IsHost(frame.GetMethod()));
            return own is null ? null : new CodePlace(own.GetFileName()!, own.GetFileLineNumber());
        }
        catch (Exception)
        {
            return null;
        }
    }

    private static bool IsHost(MethodBase? method) => method?.Module.Assembly == typeof(Thrown).Assembly;

    private const int MaxFrames = 8;
    private const int MaxStack = 4_000;

    private static bool IsOwnFrame(string frame) =>
        frame.StartsWith("at ", StringComparison.Ordinal)
        && !frame.StartsWith("at System.", StringComparison.Ordinal)
        && !frame.StartsWith("at Mortise.PluginHost.", StringComparison.Ordinal);

    private static string? StackOf(Exception error)
    {
        try
        {
            return error.StackTrace;
        }
        catch (Exception)
        {
            return null;
        }
    }

    /// <summary>The message of an exception, whose own code may throw.</summary>
    public static string MessageOf(Exception error)
    {
        try
        {
            return error.Message;
        }
        catch (Exception)
        {
            return "(its message cannot be read)";
        }
    }

    /// <summary>The exception inside those that only say that there was one.</summary>
    public static Exception CauseOf(Exception error) => error switch
    {
        TargetInvocationException { InnerException: { } inner } => CauseOf(inner),
        TypeInitializationException { InnerException: { } inner } => CauseOf(inner),
        AggregateException { InnerExceptions: [var inner] } => CauseOf(inner),
        _ => error,
    };

    /// <summary>The assembly that could not be found or loaded, where that is what the exception is about.</summary>
    public static AssemblyName? MissingAssembly(Exception error)
    {
        var name = error switch
        {
            FileNotFoundException notFound => notFound.FileName,
            FileLoadException notLoaded => notLoaded.FileName,
            BadImageFormatException damaged => damaged.FileName,
            _ => null,
        };
        // The file name of an ordinary missing file has no version.
        return name?.Contains(", Version=", StringComparison.Ordinal) == true ? new AssemblyName(name) : null;
    }
}
