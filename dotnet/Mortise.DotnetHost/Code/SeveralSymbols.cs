using Microsoft.CodeAnalysis;

namespace Mortise.DotnetHost.Code;

/// <summary>Answers an action for several symbols, or for the overloads of one, from the code as it is for all of them.</summary>
internal static class SeveralSymbols
{
    /// <summary>Actions that answer for each overload of a member.</summary>
    private static readonly string[] OfOverloads = ["Definition", "References", "Callers", "Implementations"];

    /// <summary>Actions that answer for several symbols, separated by commas.</summary>
    private static readonly string[] OfSeveral = [.. OfOverloads, "Symbols", "Outline", "Hierarchy"];

    /// <exception cref="CodeException">None of the symbols has an answer.</exception>
    public static async Task<CodeAnswer> RunAsync(CodeQuery query, Func<CodeQuery, Task<CodeAnswer>> action)
    {
        if (query.Request is { Symbol: { } symbol, Line: null, Action: var named } && OfSeveral.Contains(named) && SymbolName.Split(symbol) is { Count: > 1 } names)
            return await RunEachAsync(query, names.Select(name => (name, (IReadOnlyList<ISymbol>?)null)), action);
        try
        {
            return await action(query);
        }
        catch (CodeException error) when (error.Overloads is not null && OfOverloads.Contains(query.Request.Action))
        {
            return await RunEachAsync(query, error.Overloads!.Select(overload => (Symbols.NameOf(overload[0]), (IReadOnlyList<ISymbol>?)overload)), action);
        }
    }

    private static async Task<CodeAnswer> RunEachAsync(
        CodeQuery query, IEnumerable<(string Name, IReadOnlyList<ISymbol>? Overload)> symbols, Func<CodeQuery, Task<CodeAnswer>> action)
    {
        var (answers, left, problem) = (new List<CodeAnswer>(), query.Request.Limit, (CodeException?)null);
        foreach (var (name, overload) in symbols)
        {
            // Each answer has at least one entry, so that its cursor continues it.
            var request = query.Request with { Symbol = name, Limit = Math.Max(1, left) };
            try
            {
                var answer = await RunAsync(query with { Request = request, Overload = overload }, action);
                var parts = answer.Answers ?? [answer with { Asked = name }];
                left -= parts.Sum(part => (part.Places?.Count ?? 0) + (part.Symbols?.Count ?? 0));
                answers.AddRange(parts);
            }
            catch (CodeException error)
            {
                problem ??= error;
                answers.Add(new(Asked: name, Problem: ProblemOf(error)));
            }
        }
        return answers.Exists(one => one.Problem is null) ? new(Answers: answers) : throw problem!;
    }

    private static string ProblemOf(CodeException error) => error.Candidates is { Count: > 0 } candidates
        ? $"{error.Message} Candidates: {string.Join("; ", candidates.Select(one => one.Name))}."
        : error.Message;
}
