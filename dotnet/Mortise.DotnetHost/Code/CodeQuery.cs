using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>A request, and the code that it asks about.</summary>
/// <param name="Overload">The symbol that is meant, as each framework and project has it; null if it has to be looked up.</param>
internal sealed record CodeQuery(CodeRequest Request, CodeSnapshot Snapshot, CancellationToken Cancellation, IReadOnlyList<ISymbol>? Overload = null)
{
    public Solution Solution => Snapshot.Solution;

    /// <summary>The projects that the request names; all by default.</summary>
    public IEnumerable<Project> Projects => Request.ProjectName is not { } name ? Solution.Projects : Solution.Projects
        .Where(project => Same(project.FilePath!, name) || Same(Path.GetFileNameWithoutExtension(project.FilePath!), name));

    private static bool Same(string one, string other) => one.Equals(other, StringComparison.OrdinalIgnoreCase);

    /// <summary>The documents with a path, in each project and framework that has it.</summary>
    /// <exception cref="CodeException">No project has the file, or it does not exist.</exception>
    public IReadOnlyList<Document> DocumentsOf(string file)
    {
        var documents = Solution.GetDocumentIdsWithFilePath(file).Select(Solution.GetDocument).OfType<Document>().ToList();
        if (documents.Count > 0)
            return documents;
        if (!File.Exists(file))
            throw new CodeException("noFile", $"{file} does not exist.");
        throw new CodeException("notInProject", $"{file} is not compiled by any project of {Path.GetFileName(Request.Name)}.", "Name the solution or project that compiles it.");
    }

    /// <summary>The projects whose generators read a file, such as a Razor component.</summary>
    public IEnumerable<Project> ProjectsWithAdditionalFile(string file) => Solution.GetDocumentIdsWithFilePath(file)
        .Where(id => Solution.GetAdditionalDocument(id) is not null)
        .Select(id => Solution.GetProject(id.ProjectId)!);

    public string ProjectNameOf(Project project) => Path.GetFileNameWithoutExtension(project.FilePath!);

    public ProjectSpec SpecOf(Project project) => Snapshot.Specs[project.Id];
}
