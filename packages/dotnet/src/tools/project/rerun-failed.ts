import type { ActionContext } from '../../actions/action.js';
import { namesOf, type TestRun, testLogsIn } from '../../diagnostics/tests/test-results.js';
import type { TestLibrary } from '../../nuget/test-libraries.js';
import { libraryFilter } from './library-filters.js';
import { vstestFilter } from './name-filter.js';
import { testProjectsOf } from './test-projects.js';

/** The maximum length of the calls. Longer calls would only repeat names that the result already has. */
const MAX_CHARS = 400;
const MAX_CALLS = 5;

/**
 * Returns a sentence with the calls that run only the failed tests. Returns undefined if all tests failed, if no filter
 * can select the failed ones, or if the calls would be too long or too many.
 */
export async function rerunOf(
  call: ActionContext,
  { failures, failed, total }: TestRun,
  runner: string,
  output: string,
): Promise<string | undefined> {
  const names = namesOf(failures);
  // Projects of Microsoft.Testing.Platform ignore a filter if `dotnet test` runs in VSTest mode.
  const isIgnored = runner === 'vstest' && testLogsIn(output).length > 0;
  if (names.length === 0 || failed === total || isIgnored) return undefined;
  const libraries = new Set((await testProjectsOf(call)).map(({ library }) => library));
  const [library] = libraries;
  if (runner !== 'vstest' && libraries.size !== 1) return undefined;
  const filters = filtersOf(names, runner === 'vstest' ? undefined : library, libraries.has('nunit'));
  if (filters.length > MAX_CALLS) return undefined;
  const { environment: _, noBuild: _built, filter: _filter, ...args } = call.args;
  const calls = filters.map((filter) => `dotnet_project ${JSON.stringify({ ...args, action: 'Test', filter })}`);
  const all = calls.join(' and ');
  return all.length > MAX_CHARS ? undefined : `To run the failed tests alone: ${all}`;
}

/**
 * Returns one filter for all names, or one for each name if the test framework cannot express that.
 * @param hasParts true if the conditions must match parts of full names
 */
function filtersOf(names: readonly string[], library: TestLibrary | undefined, hasParts: boolean): readonly string[] {
  if (names.length === 1) return names;
  const conditions = names.map((name) => {
    const filter = vstestFilter(name);
    // NUnit's full names contain the arguments of rows, so a condition can only match a part of them.
    return filter === name ? `FullyQualifiedName${hasParts ? '~' : '='}${name}` : filter;
  });
  const all = conditions.join('|');
  return libraryFilter(library, all) === undefined ? names : [all];
}
