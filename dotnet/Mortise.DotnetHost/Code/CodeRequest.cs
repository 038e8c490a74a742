using Microsoft.CodeAnalysis;
using Mortise.DotnetHost.Code.Edits;

namespace Mortise.DotnetHost.Code;

/// <summary>A query about the C# code of projects. Paths are absolute.</summary>
/// <param name="Action">Symbols, Outline, Definition and so on.</param>
/// <param name="Name">The project or solution; the key of its workspace.</param>
/// <param name="Projects">All projects of it.</param>
/// <param name="Symbol">A name such as <c>Shop.Cart.Total(int)</c>, or several, separated by commas.</param>
/// <param name="Line">1-based.</param>
/// <param name="RunsGenerators">Whether generators of packages and of the repository may run.</param>
/// <param name="Cursor">The <see cref="Page.NextCursor"/> of an earlier answer.</param>
/// <param name="NewName">Of Rename.</param>
/// <param name="InComments">Whether Rename also changes comments and strings.</param>
/// <param name="Code">The code of a diagnostic, such as CS0246.</param>
/// <param name="Fix">The id or title of a fix.</param>
/// <param name="Scope">place, document, project or solution.</param>
/// <param name="Repairs">For each code, patterns of the titles of fixes that may be meant, the preferred ones first.</param>
/// <param name="Apply">Whether the answer needs the new texts of the files.</param>
/// <param name="Hash">The <see cref="CodeAnswer.Hash"/> of the preview that is applied.</param>
public sealed record CodeRequest(
    string Action,
    string Name,
    IReadOnlyList<RequestedCodeProject> Projects,
    string PackagesFolder,
    string? Symbol = null,
    string? File = null,
    int? Line = null,
    int? Column = null,
    string? Kind = null,
    string? ProjectName = null,
    string? Severity = null,
    int Depth = 1,
    int Limit = 100,
    string? Cursor = null,
    bool RunsGenerators = false,
    string? NewName = null,
    bool InComments = false,
    string? Code = null,
    string? Fix = null,
    string? Scope = null,
    IReadOnlyDictionary<string, IReadOnlyList<string>>? Repairs = null,
    bool Apply = false,
    string? Hash = null);

/// <param name="GlobalProperties">Those of its response files, escaped as MSBuild has them.</param>
public sealed record RequestedCodeProject(string Path, IReadOnlyDictionary<string, string> GlobalProperties);

/// <summary>A query that cannot be answered, with a kind that the client branches on.</summary>
public sealed class CodeException(
    string kind, string message, string? hint = null, IReadOnlyList<SymbolInfo>? candidates = null) : Exception(message)
{
    public string Kind => kind;

    public string? Hint => hint;

    /// <summary>Symbols that may have been meant.</summary>
    public IReadOnlyList<SymbolInfo>? Candidates => candidates;

    /// <summary>The symbols that may have been meant, if they are overloads of one member.</summary>
    public IReadOnlyList<IReadOnlyList<ISymbol>>? Overloads { get; init; }
}

/// <summary>A type or member. Path and line are absent for one of a package or the framework.</summary>
/// <param name="Name">With its containing types and namespaces and the types of its parameters.</param>
/// <param name="Assembly">Of a symbol without sources.</param>
/// <param name="Relation">base, interface, derived, implementation or override.</param>
public sealed record SymbolInfo(
    string Name,
    string Kind,
    string Signature,
    string? Path = null,
    int? Line = null,
    int? EndLine = null,
    string? Project = null,
    string? Assembly = null,
    string? Relation = null,
    bool? IsGenerated = null,
    int? ReferenceCount = null);

/// <summary>A place where a symbol is used.</summary>
/// <param name="Text">The line, trimmed, or the part of a long line around the place.</param>
/// <param name="Member">The member that contains the place; null outside of members.</param>
/// <param name="Kind">call, construct, write, read, override, implementation, attribute, nameof, type, base, using or documentation.</param>
/// <param name="UsedMember">The member that the code names, if it belongs to another type than the one asked about.</param>
/// <param name="Frameworks">Where the place is not compiled in all frameworks of its project.</param>
public sealed record Place(
    string Path,
    int Line,
    int Column,
    string Text,
    string? Member,
    string Kind,
    string Project,
    string? UsedMember = null,
    IReadOnlyList<string>? OtherProjects = null,
    IReadOnlyList<string>? Frameworks = null,
    bool? IsGenerated = null,
    int? Depth = null);

/// <summary>A diagnostic of the compiler, as a build prints it.</summary>
/// <param name="NeedsGenerator">Whether a generator that did not run may explain it.</param>
public sealed record CodeDiagnostic(
    string Severity,
    string Code,
    string Message,
    string? File,
    int? Line,
    int? Column,
    string Project,
    IReadOnlyList<string>? Frameworks = null,
    bool? NeedsGenerator = null)
{
    /// <summary>In one line.</summary>
    public string Describe() =>
        $"{File ?? Project}{(Line is { } line ? $"({line})" : "")}: {Code}: {Message}{(Frameworks is { } some ? $" [{string.Join(", ", some)}]" : "")}";
}

/// <summary>A fix or refactoring that can be applied.</summary>
/// <param name="Code">The diagnostic that it fixes; null for a refactoring.</param>
/// <param name="Hash">As <see cref="CodeAnswer.Hash"/>.</param>
public sealed record FixInfo(string Id, string Title, string? Code, string Hash, IReadOnlyList<FileEdit> Changes);

/// <summary>An error that a fix has repaired, at its place before this fix.</summary>
public sealed record Repaired(string File, int Line, string Code, string Title);

/// <summary>An answer; the lists that the action does not have are null.</summary>
/// <param name="Notes">What is missing or was withheld.</param>
/// <param name="Conflicts">What a change breaks.</param>
/// <param name="Hash">Of the change and of the files that it was made from.</param>
/// <param name="Title">Of the fix that was applied.</param>
/// <param name="Answers">One for each of several symbols.</param>
/// <param name="Asked">The name of the symbol, in one of these.</param>
/// <param name="Problem">Why the symbol has no answer.</param>
/// <param name="Counts">Entries of the whole list for each project.</param>
public sealed record CodeAnswer(
    SymbolInfo? Symbol = null,
    IReadOnlyList<SymbolInfo>? Symbols = null,
    IReadOnlyList<Place>? Places = null,
    IReadOnlyList<CodeDiagnostic>? Diagnostics = null,
    string? Documentation = null,
    string? Source = null,
    IReadOnlyDictionary<string, int>? Counts = null,
    int? Total = null,
    string? NextCursor = null,
    IReadOnlyList<string>? Notes = null,
    int? ErrorCount = null,
    int? WarningCount = null,
    int? NeedingGenerators = null,
    IReadOnlyList<string>? WithheldGenerators = null,
    IReadOnlyList<FileEdit>? Changes = null,
    IReadOnlyList<string>? Conflicts = null,
    string? Hash = null,
    IReadOnlyList<FixInfo>? Fixes = null,
    string? Title = null,
    IReadOnlyList<Repaired>? Repaired = null,
    IReadOnlyList<CodeAnswer>? Answers = null,
    string? Asked = null,
    string? Problem = null);
