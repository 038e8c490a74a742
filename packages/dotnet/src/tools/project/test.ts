import { counted } from '../../diagnose/diagnostic-fields.js';
import type { DiagnosticReport } from '../../diagnose/diagnostics.js';
import { type TestRun, testFields } from '../../diagnose/test-results.js';
import type { CommandRun } from '../../process/command-run.js';
import { type Action, type ActionCall, ActionFailed, type Answer } from '../../tool/action.js';
import { toArguments } from '../../tool/checks.js';
import { options, vstestOptions } from '../../tool/cli.js';
import { commandFailed } from '../../tool/command-failed.js';
import type { Arguments } from '../../tool/parameters.js';
import { projectLock, propertyOptions, target } from './build.js';
import { environmentOf } from './environment.js';
import { ignoredOptions } from './ignored-options.js';
import { createBuildReader } from './run-build.js';
import { createTestReport } from './test-report.js';
import { checkRunnerOptions, chooseRunner, projectArgument, type RunnerChoice } from './test-runner.js';

function testArguments(args: Arguments, { runner, command }: RunnerChoice): string[] {
  const given = command === 'vstest' ? vstestOptions : options;
  return [
    'test',
    ...projectArgument(args, runner),
    ...given(
      ['-c', args.configuration],
      ['--filter', args.filter],
      ['--collect', args.collect],
      ['--results-directory', args.resultsDirectory],
      ['--logger', args.logger],
      ['--no-build', args.noBuild],
      ['--no-restore', args.noRestore],
      ['--verbosity', args.verbosity],
      ['--framework', args.framework],
      ['--blame', args.blame],
      ['--list-tests', args.listTests],
    ),
    ...propertyOptions(args),
  ];
}

async function test(call: ActionCall): Promise<Answer> {
  const { args } = call;
  const choice = await chooseRunner(call);
  checkRunnerOptions(args, choice);
  const report = await createTestReport(call, choice.command === 'vstest');
  const reader = createBuildReader(call, { ignoredCodes: ['MTP0001'] });
  try {
    const argv = [...testArguments(args, choice), ...passedOn(args)];
    const run = await call.dotnet(argv, {
      ownArgs: report.args,
      onLine: reader.onLine,
      env: environmentOf(args),
    });
    const results = await report.read(run.output);
    const metadata = metadataOf(args, choice, results);
    const ended = { run, results, metadata, report: reader.end().report };
    return args.listTests ? listed(ended, args) : judged(ended, args);
  } finally {
    await report.remove();
  }
}

/** How a run of tests ended, and what is known of it. */
interface EndedTests {
  readonly run: CommandRun;
  readonly results: TestRun;
  readonly report: DiagnosticReport;
  readonly metadata: Record<string, string>;
}

function passedOn({ appArgs }: Arguments): string[] {
  return appArgs === undefined ? [] : ['--', ...toArguments(appArgs, 'appArgs')];
}

function metadataOf(
  args: Arguments,
  { runner, source, note }: RunnerChoice,
  { runner: seen }: TestRun,
): Record<string, string> {
  const style = args.project === undefined ? 'none' : runner === 'vstest' ? 'positional' : '--project';
  return {
    selectedTestRunner: seen ?? runner,
    projectArgumentStyle: style,
    selectionSource: source,
    ...(note !== undefined && { note }),
  };
}

function judged({ run, results, report, metadata }: EndedTests, args: Arguments): Answer {
  const { passed, failed, skipped, total } = results;
  const isSuccess = run.ending === 'exited' && run.exitCode === 0 && failed === 0;
  const warning = warningOf(results, ignoredOptions(run.output, args), isSuccess);
  const known = { ...target(args), ...testFields(results) };
  if (!isSuccess) {
    throw commandFailed(run, {
      verb: 'Test',
      report,
      known: { ...known, summary: 'Test run failed.', ...(warning && { warning }), metadata },
      metadata,
      ...(total > 0 && { tests: { ...results, notes: warning === undefined ? [] : [warning] } }),
    });
  }
  const line = `Test succeeded: ${passed} passed, ${failed} failed, ${skipped} skipped`;
  return {
    data: { success: true, ...known, summary: 'Test run succeeded.', ...(warning && { warning }) },
    text: [line, ...(warning === undefined ? [] : [`Warning: ${warning}`])].join('\n'),
    command: run.command,
    metadata,
  };
}

/** What makes the counts say less than the caller would think. */
function warningOf({ total, notes = [] }: TestRun, ignored: readonly string[], isSuccess: boolean): string | undefined {
  const sentences = [
    ...(isSuccess && total === 0
      ? [notes[0] ?? 'No test was run: the filter matches none, or the project has none.']
      : []),
    ...(ignored.length > 0
      ? [`Microsoft.Testing.Platform runs the project and ignored ${ignored.join(', ')} under the VSTest command.`]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function listed({ run, results, report, metadata }: EndedTests, args: Arguments): Answer {
  if (ignoredOptions(run.output, args).includes('listTests')) throw cannotList(run, metadata);
  if (run.ending !== 'exited' || run.exitCode !== 0)
    throw commandFailed(run, { verb: 'Test', report, known: target(args), metadata });
  const { listed: tests = [] } = results;
  const summary = counted(tests.length, 'test');
  return {
    data: { success: true, ...target(args), tests, summary },
    text: [...tests, summary].join('\n'),
    command: run.command,
    metadata,
  };
}

function cannotList({ output, command, exitCode }: CommandRun, metadata: Record<string, string>): ActionFailed {
  const feature = 'listTests';
  const reason = 'Microsoft.Testing.Platform runs the project, and ignores it under the VSTest command';
  return new ActionFailed(`The '${feature}' capability is not available: ${reason}; the tests were run instead`, {
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
  takes: [
    ...(['project', 'configuration', 'verbosity', 'framework', 'filter', 'collect', 'resultsDirectory'] as const),
    ...(['logger', 'noBuild', 'noRestore', 'blame', 'listTests', 'testRunner'] as const),
    ...(['useLegacyProjectArgument', 'properties', 'appArgs', 'environment'] as const),
  ],
  lock: projectLock('test'),
  progress: ['Running tests...', 'Tests complete'],
  run: test,
};
