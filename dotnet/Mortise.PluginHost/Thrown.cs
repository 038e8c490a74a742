using System.Diagnostics;
using System.Reflection;
using Mortise.PluginHost.Loading;

namespace Mortise.PluginHost;

/// <summary>Describes exceptions thrown by plugins. Their <c>Message</c> and <c>StackTrace</c> are plugin code, and can throw too.</summary>
internal static class Thrown
{
    /// <summary>Returns type and message of the cause, without the stack.</summary>
    public static string Describe(Exception error)
    {
        var cause = CauseOf(error);
        return $"{cause.GetType().FullName}: {MessageOf(cause)}";
    }

    /// <summary>
    /// Returns type and message of the cause, and the first frames of its stack that are neither those of .NET nor
    /// those of this program.
    /// </summary>
    public static string OwnStack(Exception error)
    {
        var cause = CauseOf(error);
        var frames = (StackOf(cause) ?? "").Split('\n', StringSplitOptions.TrimEntries).Where(IsOwnFrame).Take(MaxFrames);
        var text = string.Join('\n', [Describe(cause), .. frames.Select(frame => $"   {frame}")]);
        return text.Length <= MaxStackChars ? text : text[..MaxStackChars];
    }

    /// <summary>Returns the first place on the stack in the plugin's code; null without its .pdb.</summary>
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
    private const int MaxStackChars = 4_000;

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

    /// <summary>
    /// Returns the message of an exception, or a replacement if the exception throws when it is read.
    /// </summary>
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

    /// <summary>Unwraps exceptions that add nothing to their inner exception.</summary>
    public static Exception CauseOf(Exception error) => error switch
    {
        TargetInvocationException { InnerException: { } inner } => CauseOf(inner),
        TypeInitializationException { InnerException: { } inner } => CauseOf(inner),
        AggregateException { InnerExceptions: [var inner] } => CauseOf(inner),
        _ => error,
    };

    /// <summary>
    /// Returns the assembly that could not be found or loaded; null if the exception has another reason.
    /// </summary>
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
