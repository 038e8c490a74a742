import { existsSync } from 'node:fs';
import { readRegularText } from '@mortise/plugin/runtime';
import { type Action, type ActionContext, ActionError, type ActionResult } from '../../actions/action.js';
import { toArguments } from '../../actions/checks.js';
import { options, vstestOptions } from '../../actions/cli-action.js';
import { commandFailed } from '../../actions/command-failed.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { Arguments } from '../../actions/parameters.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { failedExitCode } from '../../advice/failure.js';
import type { DiagnosticReport } from '../../diagnostics/parse/parse-diagnostics.js';
import { type Coverage, coverageLines, parseCoverage } from '../../diagnostics/tests/coverage.js';
import { saysPassed } from '../../diagnostics/tests/no-tests.js';
import { withLoggedNames } from '../../diagnostics/tests/platform-log.js';
import {
  failureFields,
  readTestFailures,
  type TestRun,
  testCounts,
  testFields,
} from '../../diagnostics/tests/test-results.js';
import type { CommandRun } from '../../process/command-run.js';
import { withRepairs } from '../code/repair.js';
import { projectLock, propertyOptions, target } from './build.js';
import { environmentOf } from './environment.js';
import { noTestsRan } from './no-tests-ran.js';
import type { BuildOutput } from './output-lines.js';
import { rerunOf } from './rerun-failed.js';
import { runLogged } from './run-build.js';
import { filterOptions } from './test-filter.js';
import { createTestLogs } from './test-logs.js';
import { endedWell, failedTestSummary, failsOtherwise, untestedProjects, withoutMatch } from './test-outcome.js';
import { createTestReport, type TestReportFile } from './test-report.js';
import { checkRunnerOptions, chooseRunner, ignoredOptions, projectArgument, type RunnerChoice } from './test-runner.js';

async function testArguments(call: ActionContext, { runner, command, cwd: folder }: RunnerChoice): Promise<string[]> {
  const { args, cwd, resolve } = call;
  const toOptions = command === 'vstest' ? vstestOptions : options;
  // If the command runs in another folder, relative paths must be resolved first.
  const isHere = folder === cwd;
  return [
    'test',
    ...projectArgument(isHere ? args.project : resolve(args.project!), runner),
    ...toOptions(
      ['-c', args.configuration],
      ...(await filterOptions(call, runner)),
      ['--collect', args.collect],
      ['--results-directory', isHere ? args.resultsDirectory : args.resultsDirectory && resolve(args.resultsDirectory)],
      ['--logger', args.logger],
      ['--no-build', args.noBuild],
      ['--no-restore', args.noRestore],
      ['--verbosity', args.verbosity],
      ['--framework', args.framework],
      ['--blame', args.blame],
      ['--settings', isHere ? args.settings : args.settings && resolve(args.settings)],
    ),
    ...hangOptions(args),
    ...toOptions(['--list-tests', args.listTests]),
    ...propertyOptions(args),
  ];
}

/** Asks for no dump, because only the name of the test is needed, and a dump contains the memory of the process. */
function hangOptions({ blameHangSeconds }: Arguments): string[] {
  if (blameHangSeconds === undefined) return [];
  return ['--blame-hang', '--blame-hang-timeout', `${blameHangSeconds}s`, '--blame-hang-dump-type', 'none'];
}

/** Checks that the settings file exists, because the CLI would run no test and report that late. */
function checkSettings({ args, resolve }: ActionContext): void {
  const { settings } = args;
  if (settings === undefined || existsSync(resolve(settings))) return;
  throw new InvalidParameterError('settings', 'not found', `The settings file ${settings} does not exist`, {
    providedValue: settings,
    hint: `Give the path of an existing file. Resolved path: ${resolve(settings)}.`,
  });
}

/** The maximum size of a coverage report that is read. Larger reports are only listed. */
const MAX_COVERAGE_BYTES = 64 * 1024 * 1024;

function coverageOf(reports: readonly TestReportFile[]): Coverage | undefined {
  const files = reports.filter(({ kind, path }) => kind === 'coverage' && /\.xml$/i.test(path));
  return parseCoverage(
    files.flatMap(({ path }) => {
      try {
        return [readRegularText(path, MAX_COVERAGE_BYTES)];
      } catch {
        return [];
      }
    }),
  );
}

async function test(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  checkSettings(call);
  const choice = await chooseRunner(call);
  checkRunnerOptions(args, choice);
  const isVSTest = choice.command === 'vstest';
  const commandArgs = [...(await testArguments(call, choice)), ...runnerArguments(args)];
  const logs = args.listTests ? undefined : await createTestLogs();
  try {
    const report = createTestReport(call, isVSTest, logs?.isOurs);
    const built = await runLogged(call, commandArgs, {
      cwd: choice.cwd,
      env: { ...logs?.env, ...environmentOf(args) },
      ownArgs: report.args,
      hasOwnLog: isVSTest,
      ignoredCodes: ['MTP0001'],
    });
    const { results: reported, reports, run } = await report.read(built.console);
    const { running = [], platformLogs = [] } = (await logs?.read()) ?? {};
    const results = withLoggedNames(reported, platformLogs);
    const metadata = metadataOf(args, choice, results);
    const ended = { run, results, reports, metadata, report: built.report, outputs: built.outputs, running };
    return await (args.listTests ? listResult(ended, args) : runResult(ended, call));
  } finally {
    await logs?.remove();
  }
}

/** A test run that has ended, with its results and reports. */
interface EndedTests {
  readonly run: CommandRun;
  readonly results: TestRun;
  readonly reports: readonly TestReportFile[];
  readonly report: DiagnosticReport;
  readonly outputs: readonly BuildOutput[];
  readonly metadata: Record<string, string>;
  /** The names of the tests that were running when their process was ended. */
  readonly running: readonly string[];
}

function runnerArguments({ appArgs }: Arguments): string[] {
  return appArgs === undefined ? [] : ['--', ...toArguments(appArgs, 'appArgs')];
}

function metadataOf(
  args: Arguments,
  { runner, source, note }: RunnerChoice,
  { runner: printedRunner }: TestRun,
): Record<string, string> {
  const style = args.project === undefined ? 'none' : runner === 'vstest' ? 'positional' : '--project';
  // VSTest rejects --project, so the runner cannot be VSTest even if the summary looks like one of VSTest.
  const isCertain = style === '--project';
  return {
    selectedTestRunner: isCertain ? runner : (printedRunner ?? runner),
    projectArgumentStyle: style,
    selectionSource: source,
    ...(note !== undefined && { note }),
  };
}

/** Returns the result of a test run. @throws ActionError if it failed, or no test ran */
async function runResult(
  { run, results, reports, report, outputs, metadata, running }: EndedTests,
  call: ActionContext,
): Promise<ActionResult> {
  const { args } = call;
  const { total, unfinished = [] } = results;
  const isSuccess = run.terminatedBy === 'exited' && endedWell(run, results, report);
  const warning = warningOf(ignoredOptions(run.output, args));
  const coverage = coverageOf(reports);
  const fields = {
    ...target(args),
    ...countsOf(run, results),
    ...(coverage && { coverage }),
    ...(reports.length > 0 && { reports }),
    ...(warning && { warning }),
  };
  const failure = { ...fields, summary: 'Test run failed.', metadata };
  if (run.terminatedBy === 'exited' && total === 0 && unfinished.length === 0 && !failsOtherwise(report)) {
    const noTestsError = await noTestsRan(run, call, failure, metadata);
    if (noTestsError) throw noTestsError;
  }
  if (!isSuccess) {
    const rerun = await rerunOf(call, results, metadata.selectedTestRunner!, run.output);
    const untested = report.errorCount > 0 ? await untestedProjects(call, outputs, results) : [];
    const failed = commandFailed(run, {
      label: 'Test',
      report,
      summary: failedTestSummary(report, results, untested),
      partialResult: { ...failure, ...(untested.length > 0 && { untestedProjects: untested }) },
      metadata,
      runningTests: running,
      ...(total + unfinished.length > 0 && {
        tests: {
          ...results,
          notes: warning === undefined ? [] : [warning],
          ...(rerun !== undefined && { rerun }),
          reportLines: reportLines(reports, coverage),
        },
      }),
    });
    throw await withRepairs(failed, call);
  }
  const summary = 'Test run succeeded.';
  return {
    data: { success: true, ...fields, summary },
    text: [
      summary,
      hasCounts(results) ? testCounts(results) : 'The runner printed no counts.',
      ...withoutMatch(results),
      ...(warning === undefined ? [] : [`Warning: ${warning}`]),
      ...reportLines(reports, coverage),
    ].join('\n'),
    command: run.command,
    exitCode: run.exitCode,
    output: run.output,
    metadata,
  };
}

function reportLines(reports: readonly TestReportFile[], coverage: Coverage | undefined): string[] {
  const files = reports.map(({ kind, path }) => `Report (${kind}): ${path}`);
  return [...(coverage ? coverageLines(coverage) : []), ...files];
}

/** True if the output had a summary with counts, or the tests were read from a report. */
function hasCounts({ total, assemblies }: TestRun): boolean {
  return total > 0 || assemblies.length > 0;
}

/** Returns the counts, if any. Missing counts do not mean that no test ran (docs/spec/dotnet-tests.md#no-tests-ran). */
function countsOf(run: CommandRun, results: TestRun): object {
  if (run.terminatedBy !== 'exited' && results.total === 0) return failuresUntil(run);
  const isUncounted = run.exitCode === 0 && !hasCounts(results) && saysPassed(run.output);
  return isUncounted ? {} : testFields(results);
}

/** Returns the failures that a run printed before it was ended, without its counts. */
function failuresUntil({ output }: CommandRun): object {
  const failures = readTestFailures(output);
  return failures.length === 0 ? {} : { failed: failures.length, ...failureFields(failures) };
}

/** Returns a warning about parameters that were ignored, so that the results are not those that the caller expects. */
function warningOf(ignored: readonly string[]): string | undefined {
  if (ignored.length === 0) return undefined;
  return `Microsoft.Testing.Platform runs the project and ignored ${ignored.join(', ')} under the VSTest command.`;
}

/** Returns the list of tests. @throws ActionError if they could not be listed */
function listResult({ run, results, report, metadata }: EndedTests, args: Arguments): ActionResult {
  if (ignoredOptions(run.output, args).includes('listTests')) throw listingNotPossible(run, metadata);
  if (run.terminatedBy !== 'exited' || run.exitCode !== 0)
    throw commandFailed(run, { label: 'Test', report, partialResult: target(args), metadata });
  const { listed: tests = [] } = results;
  const summary = counted(tests.length, 'test');
  return {
    data: { success: true, ...target(args), tests, summary },
    text: [...tests, summary].join('\n'),
    command: run.command,
    metadata,
  };
}

function listingNotPossible(run: CommandRun, metadata: Record<string, string>): ActionError {
  const { output, command } = run;
  const exitCode = failedExitCode(run);
  const feature = 'listTests';
  const reason = 'Microsoft.Testing.Platform runs the project, and ignores it under the VSTest command';
  return new ActionError(`The '${feature}' capability is not available: ${reason}; the tests were run instead`, {
    code: 'CAPABILITY_NOT_AVAILABLE',
    explanation: 'The command of Microsoft.Testing.Platform lists the tests of such a project.',
    alternatives: ['Choose it: dotnet_sdk {"action":"ConfigureGlobalJson","testRunner":"Microsoft.Testing.Platform"}'],
    data: { command, exitCode, additionalData: { feature, reason } },
    exitCode,
    metadata,
    output,
  });
}

export const testAction: Action = {
  optional: [
    ...(['project', 'configuration', 'verbosity', 'framework', 'filter', 'collect', 'resultsDirectory'] as const),
    ...([
      'logger',
      'noBuild',
      'noRestore',
      'blame',
      'listTests',
      'testRunner',
      'settings',
      'blameHangSeconds',
    ] as const),
    ...(['useLegacyProjectArgument', 'properties', 'appArgs', 'environment'] as const),
  ],
  lock: projectLock('test'),
  progress: ['Running tests...', 'Tests complete'],
  lists: 'tests',
  execute: test,
};
