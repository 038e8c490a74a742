namespace Mortise.DotnetHost.Code;

/// <summary>Answers an action for several symbols, from the code as it is for all of them.</summary>
internal static class SeveralSymbols
{
    /// <exception cref="CodeException">None of the symbols has an answer.</exception>
    public static async Task<CodeAnswer> RunAsync(CodeQuery query, Func<CodeQuery, Task<CodeAnswer>> action)
    {
        var (answers, left, problem) = (new List<CodeAnswer>(), query.Request.Limit, (CodeException?)null);
        foreach (var symbol in query.Request.SeveralSymbols!)
        {
            // Each answer has at least one entry, so that its cursor continues it.
            var request = query.Request with { Symbol = symbol, SeveralSymbols = null, Limit = Math.Max(1, left) };
            try
            {
                var answer = await action(query with { Request = request });
                left -= (answer.Places?.Count ?? 0) + (answer.Symbols?.Count ?? 0);
                answers.Add(answer with { Asked = symbol });
            }
            catch (CodeException error)
            {
                problem ??= error;
                answers.Add(new(Asked: symbol, Problem: ProblemOf(error)));
            }
        }
        return answers.Exists(one => one.Problem is null) ? new(Answers: answers) : throw problem!;
    }

    private static string ProblemOf(CodeException error) => error.Candidates is { Count: > 0 } candidates
        ? $"{error.Message} Candidates: {string.Join("; ", candidates.Select(one => one.Name))}."
        : error.Message;
}
