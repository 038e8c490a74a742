using Microsoft.Build.Construction;
using Microsoft.Build.Exceptions;

namespace Mortise.DotnetHost.Evaluation;

/// <summary>Loads solutions and solution filters as MSBuild does before it builds them. No project is evaluated.</summary>
internal static class SolutionLoader
{
    /// <summary>Returns the error for which MSBuild cannot load the solution; null if it can.</summary>
    public static ProjectError? FindError(string solution)
    {
        try
        {
            SolutionFile.Parse(solution);
            return null;
        }
        catch (InvalidProjectFileException error)
        {
            return new(error.ErrorCode, error.BaseMessage, error.ProjectFile, error.LineNumber, error.ColumnNumber);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return new(Code: null, error.Message, solution, Line: 0, Column: 0);
        }
    }
}
