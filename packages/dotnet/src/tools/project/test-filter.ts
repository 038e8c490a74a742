import { relative } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import type { ActionContext } from '../../actions/action.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { Arguments } from '../../actions/parameters.js';
import type { TestLibrary } from '../../nuget/test-libraries.js';
import { projectName } from '../../project-files/find-project.js';
import { type FilterExpression, filterText, parseFilter, partsOf } from './filter-expression.js';
import { type FilterOption, libraryFilter } from './library-filters.js';
import { vstestFilter } from './name-filter.js';
import { type TestProject, testProjectsOf } from './test-projects.js';
import type { TestRunner } from './test-runner.js';

/**
 * Returns the options for the filter of a call (docs/spec/dotnet-tests.md#test-filter). With Microsoft.Testing.Platform
 * each test framework has its own options, but one command gives the same options to all projects.
 * @throws InvalidParameterError if the filter needs several calls, which the error lists, or cannot be expressed
 */
export async function filterOptions(call: ActionContext, runner: TestRunner): Promise<readonly FilterOption[]> {
  const { filter } = call.args;
  if (filter === undefined) return [];
  if (runner === 'vstest') return [['--filter', vstestFilter(filter)]];
  // Tests of xUnit.net 2 do not run on Microsoft.Testing.Platform.
  const projects = (await testProjectsOf(call)).filter(({ library }) => library !== undefined && library !== 'xunit');
  if (projects.length === 0) return [['--filter', vstestFilter(filter)]];
  const options = projects.map(({ library }) => libraryFilter(library, filter));
  const [first] = options;
  const isFirst = (candidate: typeof first) => JSON.stringify(candidate) === JSON.stringify(first);
  if (first !== undefined && options.every(isFirst)) return first;
  throw new Set(projects.map(({ library }) => library)).size > 1
    ? onePerProject(call, projects)
    : onePerPart(call, filter, projects[0]!.library!);
}

const NAMES: Readonly<Record<TestLibrary, string>> = {
  mstest: 'MSTest',
  nunit: 'NUnit',
  tunit: 'TUnit',
  xunit: 'xUnit.net',
  'xunit.v3': 'xUnit.net v3',
};

/** Creates the error for projects whose test frameworks have different options. It has a call for each project. */
function onePerProject(call: ActionContext, projects: readonly TestProject[]): InvalidParameterError {
  const { args, cwd } = call;
  const listed = projects.map(({ project, library }) => `${projectName(project)} (${NAMES[library!]})`).join(', ');
  const path = (project: string) => relative(cwd, project).replaceAll('\\', '/') || project;
  return severalCalls(
    args,
    `The filter needs one call for each project, because their test frameworks have different options: ${listed}`,
    projects.map(({ project }) =>
      testCall(`Run the tests of ${projectName(project)}.`, args, { project: path(project), filter: args.filter }),
    ),
  );
}

/**
 * Creates the error for a filter that the options of the test framework cannot express. It has a call for each
 * alternative of the filter if they can express these.
 */
function onePerPart(call: ActionContext, filter: string, library: TestLibrary): InvalidParameterError {
  const expression = parseFilter(filter);
  const parts = expression === undefined ? [] : alternativesOf(expression).map(filterText);
  const isPossible = parts.length > 1 && parts.every((part) => libraryFilter(library, part) !== undefined);
  if (isPossible) {
    return severalCalls(
      call.args,
      `The options of ${NAMES[library]} cannot express the filter in one run`,
      parts.map((part) => testCall(`Run the tests of ${part}.`, call.args, { filter: part })),
    );
  }
  return new InvalidParameterError(
    'filter',
    'invalid format',
    `The options of ${NAMES[library]} cannot express the filter`,
    {
      hint: `Use FullyQualifiedName, ClassName or a trait with = or ~, or a query of ${NAMES[library]} that begins with /.`,
      providedValue: filter,
      recommendedAction: testCall('List the tests, then write the filter with their names.', call.args, {
        listTests: true,
      }),
    },
  );
}

/** Returns the alternatives of an expression (its disjunctive normal form): `(A|B)&C` has `A&C` and `B&C`. */
function alternativesOf(expression: FilterExpression): FilterExpression[] {
  if ('any' in expression) return expression.any.flatMap(alternativesOf);
  if (!('all' in expression)) return [expression];
  return expression.all.reduce<FilterExpression[]>(
    (combinations, part) =>
      combinations.flatMap((left) =>
        alternativesOf(part).map((right) => ({ all: [...partsOf(left, 'all'), ...partsOf(right, 'all')] })),
      ),
    [{ all: [] }],
  );
}

function severalCalls({ workingDirectory }: Arguments, message: string, calls: readonly ToolCall[]) {
  const [first] = calls;
  const folder = workingDirectory === undefined ? {} : { workingDirectory };
  return new InvalidParameterError('filter', 'conflict', message, {
    hint: `Make ${calls.length} calls, of which the first is the next action.`,
    alternatives: calls.map(({ arguments: args }) => `dotnet_project ${JSON.stringify({ ...args, ...folder })}`),
    ...(first && { recommendedAction: first }),
  });
}

export type ToolCall = Extract<RecommendedAction, { readonly actionKind: 'CallTool' }>;

/** Returns a call of Test on the same project, without `filter` and `noBuild`, and with the arguments `more`. */
export function testCall(
  description: string,
  { project, configuration, framework }: Arguments,
  more: object,
): ToolCall {
  return {
    actionKind: 'CallTool',
    description,
    toolName: 'dotnet_project',
    arguments: {
      action: 'Test',
      ...(project !== undefined && { project }),
      ...(configuration !== undefined && { configuration }),
      ...(framework !== undefined && { framework }),
      ...more,
    },
  };
}
