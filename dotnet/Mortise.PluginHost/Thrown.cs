using System.Reflection;

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
