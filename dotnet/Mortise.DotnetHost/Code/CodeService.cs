using Mortise.DotnetHost.Code.Edits;
using Mortise.DotnetHost.Evaluation;

namespace Mortise.DotnetHost.Code;

/// <summary>Answers queries about code. It keeps the workspaces that were used last.</summary>
internal sealed class CodeService(string sdk, Evaluations evaluations)
{
    private const int MaxWorkspaces = 3;

    private static readonly Dictionary<string, Func<CodeQuery, Task<CodeAnswer>>> Actions = new()
    {
        ["Symbols"] = SymbolActions.SymbolsAsync,
        ["Outline"] = SymbolActions.OutlineAsync,
        ["Definition"] = SymbolActions.DefinitionAsync,
        ["References"] = ReferenceActions.ReferencesAsync,
        ["Callers"] = ReferenceActions.CallersAsync,
        ["Implementations"] = SymbolActions.ImplementationsAsync,
        ["Hierarchy"] = SymbolActions.HierarchyAsync,
        ["Diagnostics"] = DiagnosticActions.DiagnosticsAsync,
        ["Rename"] = RenameAction.RenameAsync,
        ["Fixes"] = FixActions.FixesAsync,
        ["ApplyFix"] = FixActions.ApplyFixAsync,
        ["Repair"] = Repairs.RepairAsync,
        ["Format"] = FormatAction.FormatAsync,
    };

    /// <summary>The workspace used last comes last.</summary>
    private readonly List<(string Key, CodeWorkspace Workspace)> _workspaces = [];

    public async Task<CodeAnswer> RunAsync(CodeRequest request, Action<string> progress, CancellationToken cancellation)
    {
        var snapshot = await WorkspaceOf(request).RefreshAsync(request, progress, cancellation);
        if (snapshot.Specs.Count == 0)
            throw new CodeException("noProject", string.Join(' ', [$"No C# project of {Path.GetFileName(request.Name)} loads.", .. snapshot.Notes]), "Correct the project, or name another solution or project.");
        var answer = await SeveralSymbols.RunAsync(new CodeQuery(request, snapshot, cancellation), Actions[request.Action]);
        return answer with
        {
            Notes = NotesOf(snapshot, answer),
            WithheldGenerators = snapshot.WithheldGenerators is { Count: > 0 } withheld ? withheld : null,
        };
    }

    private static List<string>? NotesOf(CodeSnapshot snapshot, CodeAnswer answer)
    {
        List<string> notes = [.. snapshot.Notes, .. answer.Notes ?? []];
        return notes.Count == 0 ? null : notes;
    }

    private CodeWorkspace WorkspaceOf(CodeRequest request)
    {
        var key = $"{request.Name}\n{request.RunsGenerators}";
        lock (_workspaces)
        {
            var index = _workspaces.FindIndex(one => one.Key == key);
            var workspace = index < 0 ? new CodeWorkspace(sdk, evaluations) : _workspaces[index].Workspace;
            if (index >= 0)
                _workspaces.RemoveAt(index);
            else if (_workspaces.Count == MaxWorkspaces)
                _workspaces.RemoveAt(0);
            _workspaces.Add((key, workspace));
            return workspace;
        }
    }
}
