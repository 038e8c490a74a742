import { dirname, relative } from 'node:path';
import type { ErrorResult, RecommendedAction } from '@mortise/plugin';
import { type ActionContext, ActionError } from '../../actions/action.js';
import { options } from '../../actions/cli-action.js';
import type { Arguments } from '../../actions/parameters.js';
import type { RootCauseKind } from '../../advice/codes/root-cause-kind.js';
import { failedExitCode } from '../../advice/failure.js';
import { errorEntry } from '../../advice/plain-error.js';
import { type NoTests, type NoTestsReason, noTestsIn } from '../../diagnostics/tests/no-tests.js';
import { parseTestOutput } from '../../diagnostics/tests/test-results.js';
import { itemsOf, propertyOf } from '../../msbuild/evaluate.js';
import type { CommandRun } from '../../process/command-run.js';
import { findProject, isProjectPath } from '../../project-files/find-project.js';
import { isSameName } from '../../project-files/msbuild-syntax.js';
import { filesBelow, namesIn } from '../../project-files/readable-files.js';
import { propertyOptions } from './build.js';
import { nearFilter } from './name-filter.js';
import { testCall } from './test-filter.js';
import { testProjectsOf } from './test-projects.js';

/** The facts about a test project that its evaluation shows. */
interface TestProject {
  readonly isPlatform: boolean;
  readonly packages: readonly string[];
}

/** The message and the advice for a reason. */
interface Advice {
  readonly message: string;
  readonly hint: string;
  readonly kind: RootCauseKind;
  readonly action: RecommendedAction;
}

const FILTER_OPTION = /(?:^|\s)--(?:filter|treenode-filter)/;

/**
 * Creates the error for a run that ended without any test (docs/spec/dotnet-tests.md#no-tests-ran). Returns undefined
 * if the output shows no reason for that; then something else went wrong.
 */
export async function noTestsRan(
  run: CommandRun,
  call: ActionContext,
  partialResult: object,
  metadata: Record<string, string>,
): Promise<ActionError | undefined> {
  const { args } = call;
  const hasFilter = args.filter !== undefined || FILTER_OPTION.test([args.appArgs ?? []].flat().join(' '));
  const { output, exitCode } = run;
  const noTests = noTestsIn({ output, exitCode, hasFilter, noBuild: args.noBuild === true });
  if (noTests === undefined) return undefined;
  const isWithoutAdapter = noTests.reason === 'no adapter';
  const project = isWithoutAdapter ? await testProject(call) : undefined;
  // The VSTest command prints no message if it does not recognise a project of Microsoft.Testing.Platform.
  const isVSTest = metadata.selectedTestRunner === 'vstest';
  const isUnseen = isVSTest && noTests.message === undefined && project?.isPlatform === true && exitCode === 0;
  const reason = isUnseen ? 'wrong runner' : noTests.reason;
  const others = reason === 'no adapter' ? await otherTestProjects(call) : [];
  const isFilter = reason === 'filter matches nothing';
  const listed = isFilter ? await listedTests(run, call) : [];
  const { message, hint, kind, action } = ADVICE[reason]({ ...noTests, reason, listed, others }, call, project);
  const failedCode = failedExitCode(run);
  const entry: ErrorResult = {
    ...errorEntry('NO_TESTS_RAN', message, {
      hint,
      data: { command: run.command, exitCode: failedCode, additionalData: { reason } },
    }),
    // The message of the error already contains the filter.
    rawOutput: isFilter ? '' : (noTests.message ?? ''),
    rootCauseKind: kind,
    recommendedAction: action,
  };
  return new ActionError(message, {
    errors: [entry],
    exitCode: failedCode,
    structured: { ...partialResult, summary: message },
    metadata,
    output,
  });
}

async function testProject(call: ActionContext): Promise<TestProject | undefined> {
  const file = findProject(call.resolve(call.args.project ?? '.'));
  if (file === undefined) return undefined;
  try {
    const { inner } = await call.services.projects(call).evaluate(file, {
      properties: ['IsTestingPlatformApplication'],
      itemTypes: ['PackageReference'],
    });
    return {
      isPlatform: inner.some((evaluation) =>
        isSameName(propertyOf(evaluation, 'IsTestingPlatformApplication'), 'true'),
      ),
      packages: inner.flatMap((evaluation) => itemsOf(evaluation, 'PackageReference').map(({ include }) => include)),
    };
  } catch {
    return undefined;
  }
}

/** The facts about a run without tests. */
interface Found extends NoTests {
  /** The names of all tests, if the filter matches none. */
  readonly listed?: readonly string[];
  /** The relative paths of test projects below the working directory. */
  readonly others?: readonly string[];
}

const MAX_LISTED = 20;

/** Lists the tests of the assemblies that were built for the run; empty if the command cannot list them. */
async function listedTests(run: CommandRun, call: ActionContext): Promise<readonly string[]> {
  const { configuration, framework, properties } = call.args;
  const isPlatform = run.args.includes('--project') || run.args.includes('--solution');
  const target = isPlatform ? run.args.slice(0, 3) : run.args.slice(0, call.args.project === undefined ? 1 : 2);
  const more = options(['-c', configuration], ['--framework', framework]);
  const args = [...target, ...more, '--no-build', '--list-tests', ...propertyOptions({ properties })];
  const { output } = await call.dotnet(args, { cwd: run.cwd });
  return parseTestOutput(output).listed ?? [];
}

const ADVICE: Record<NoTestsReason, (found: Found, call: ActionContext, project: TestProject | undefined) => Advice> = {
  'malformed filter': ({ message: detail }, { args }) => ({
    message: `No test ran: the filter is malformed. ${detail ?? ''}`.trim(),
    hint: 'Write the filter as <property><operator><value>, for example FullyQualifiedName~Name; join conditions with & and |.',
    kind: 'InvalidParameter',
    action: listTests('List the tests, then correct the filter.', args),
  }),
  'filter matches nothing': ({ listed = [] }, { args }) => ({
    message: `No test ran: the filter${args.filter === undefined ? '' : ` '${args.filter}'`} matches no test`,
    hint:
      listed.length > 0 && listed.length <= MAX_LISTED
        ? `The tests are ${listed.join(', ')}.`
        : `listTests: true shows the names${listed.length > 0 ? ` of the ${listed.length} tests` : ' that a filter can match'}.`,
    kind: 'InvalidParameter',
    action: afterNoMatch(listed, args),
  }),
  'no adapter': noAdapter,
  'wrong runner': () => ({
    message: 'No test ran: the project uses Microsoft.Testing.Platform, and dotnet test ran with VSTest',
    hint: 'Choose Microsoft.Testing.Platform in global.json.',
    kind: 'InvalidParameter',
    action: {
      actionKind: 'CallTool',
      description: 'Choose the test runner of the project in global.json.',
      toolName: 'dotnet_sdk',
      arguments: { action: 'ConfigureGlobalJson', testRunner: 'Microsoft.Testing.Platform' },
    },
  }),
  'not built': (_, { args }) => ({
    message: 'No test ran: noBuild was given, and the project is not built',
    hint: 'Call again without noBuild.',
    kind: 'BuildError',
    action: testCall('Build the project and run its tests.', args, {}),
  }),
};

/** The packages of test frameworks, and the package with the VSTest adapter of each. */
const ADAPTERS: readonly (readonly [framework: RegExp, adapter: string])[] = [
  [/^xunit(?:\.core)?$/i, 'xunit.runner.visualstudio'],
  [/^nunit$/i, 'NUnit3TestAdapter'],
  [/^mstest\.testframework$/i, 'MSTest.TestAdapter'],
];

function noAdapter(
  { message: detail, others = [] }: Found,
  call: ActionContext,
  project: TestProject | undefined,
): Advice {
  const { project: named } = call.args;
  const packages = project?.packages ?? [];
  const has = (name: RegExp | string) =>
    packages.some((item) => (typeof name === 'string' ? isSameName(item, name) : name.test(item)));
  const missing = ADAPTERS.find(([framework, adapter]) => has(framework) && !has(adapter))?.[1];
  if (missing !== undefined) {
    const packageId = has('Microsoft.NET.Test.Sdk') ? missing : 'Microsoft.NET.Test.Sdk';
    return {
      message: `No test ran: the project does not reference ${packageId}, so no adapter finds its tests`,
      hint: `Add the package ${packageId}.`,
      kind: 'PackageError',
      action: {
        actionKind: 'CallTool',
        description: `Add the package ${packageId}.`,
        toolName: 'dotnet_package',
        arguments: { action: 'Add', packageId, ...(named !== undefined && { project: named }) },
      },
    };
  }
  const isTestProject = detail !== undefined && hasAdapterNextTo(detail);
  const message = isTestProject
    ? 'No test ran: the project has a test adapter, but contains no tests'
    : 'No test ran: no test adapter found any test';
  const hint = isTestProject
    ? 'Check that the test classes and methods are public and have the attributes of the test framework.'
    : 'Name a test project, or add a test framework and its adapter to this one.';
  const action: RecommendedAction =
    isTestProject || others[0] === undefined
      ? { actionKind: 'ManualStep', description: hint }
      : testCall(`Run the tests of a test project: ${others.join(', ')}.`, call.args, { project: others[0] });
  return { message, hint, kind: 'TestFailure', action };
}

const MAX_TEST_PROJECTS = 5;
/** The maximum number of projects that are examined. Further projects of a large repository are never recommended. */
const MAX_PROJECTS = 100;

async function otherTestProjects(call: ActionContext): Promise<string[]> {
  const testProjects = await testProjectsOf(call, filesBelow(call.cwd, isProjectPath).slice(0, MAX_PROJECTS));
  const paths = testProjects.map(({ project }) => relative(call.cwd, project).replaceAll('\\', '/'));
  return paths.slice(0, MAX_TEST_PROJECTS);
}

/** True if the folder of the assembly that the message names contains a test adapter. */
function hasAdapterNextTo(detail: string): boolean {
  const assembly = /No test is available in (.+?\.(?:dll|exe))/.exec(detail)?.[1];
  return assembly !== undefined && namesIn(dirname(assembly)).some((name) => /testadapter\.dll$/i.test(name));
}

/**
 * Recommends the filter for the test with the most similar name. If no name is similar, recommends to run all tests if
 * the hint already lists them, or else to list them.
 */
function afterNoMatch(listed: readonly string[], args: Arguments): RecommendedAction {
  const filter = args.filter === undefined ? undefined : nearFilter(args.filter, listed);
  if (filter !== undefined)
    return testCall('Run the tests whose name is most like that of the filter.', args, { filter });
  return listed.length > 0 && listed.length <= MAX_LISTED
    ? testCall('Run all tests, or filter by one of these names.', args, {})
    : listTests('List the tests, then correct the filter.', args);
}

function listTests(description: string, args: Arguments): RecommendedAction {
  return testCall(description, args, { listTests: true });
}
