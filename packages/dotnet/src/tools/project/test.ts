import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTestOutput, readTrx, sumTestRuns, type TestRun } from '../../diagnose/test-results.js';
import type { CommandRun } from '../../process/command-run.js';
import type { Action, ActionCall, Answer } from '../../tool/action.js';
import { toArguments } from '../../tool/checks.js';
import { options } from '../../tool/cli.js';
import { commandFailed } from '../../tool/command-failed.js';
import type { Arguments } from '../../tool/parameters.js';
import { projectLock, propertyOptions, target } from './build.js';
import { buildProgress } from './build-progress.js';
import { checkRunnerOptions, chooseRunner, projectArgument, type RunnerChoice } from './test-runner.js';

const MAX_FAILURES = 5;

function testArguments(args: Arguments, { runner }: RunnerChoice): string[] {
  return [
    'test',
    ...projectArgument(args, runner),
    ...options(
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

/** A TRX report beside the caller's own loggers: it says which tests failed, and with what message. */
interface TrxReport {
  readonly args: readonly string[];
  read(): Promise<TestRun | undefined>;
  remove(): Promise<void>;
}

async function trxReport(call: ActionCall, { runner }: RunnerChoice): Promise<TrxReport | undefined> {
  const { resultsDirectory, listTests } = call.args;
  if (runner !== 'vstest' || listTests) return undefined;
  const prefix = `mortise-${randomBytes(6).toString('hex')}`;
  const own = resultsDirectory === undefined;
  const folder = own ? await mkdtemp(join(tmpdir(), 'mortise-test-')) : call.resolve(resultsDirectory);
  const ours = async () => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
  };
  return {
    args: ['--logger', `trx;LogFilePrefix=${prefix}`, ...(own ? ['--results-directory', folder] : [])],
    async read() {
      const files = await Promise.all((await ours()).map((file) => readFile(file, 'utf8')));
      return files.length === 0 ? undefined : sumTestRuns(files.map(readTrx));
    },
    async remove() {
      if (own) await rm(folder, { recursive: true, force: true });
      else await Promise.all((await ours()).map((file) => rm(file, { force: true })));
    },
  };
}

async function test(call: ActionCall): Promise<Answer> {
  const { args } = call;
  const choice = await chooseRunner(call);
  checkRunnerOptions(args, choice);
  const report = await trxReport(call, choice);
  try {
    const argv = [...testArguments(args, choice), ...(report?.args ?? []), ...passedOn(args)];
    const run = await call.dotnet(argv, { onLine: buildProgress(call) });
    const fromText = readTestOutput(run.output);
    const results = withDetails(fromText, await report?.read());
    const metadata = metadataOf(args, choice, fromText);
    return args.listTests ? listed(run, results, args, metadata) : judged(run, results, args, metadata);
  } finally {
    await report?.remove();
  }
}

function passedOn({ appArgs }: Arguments): string[] {
  return appArgs === undefined ? [] : ['--', ...toArguments(appArgs, 'appArgs')];
}

/** TRX knows more than the text where there is one; the text where it saw more assemblies. */
function withDetails(text: TestRun, trx: TestRun | undefined): TestRun {
  return trx !== undefined && trx.total >= text.total
    ? { ...trx, assemblies: text.assemblies.length > 0 ? text.assemblies : trx.assemblies }
    : text;
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

function countsOf({ passed, failed, skipped, total, durationMs, failures, assemblies }: TestRun): object {
  return {
    passed,
    failed,
    skipped,
    total,
    durationMs,
    firstFailures: failures.slice(0, MAX_FAILURES),
    assemblies,
  };
}

function judged(run: CommandRun, results: TestRun, args: Arguments, metadata: Record<string, string>): Answer {
  const { passed, failed, skipped, total } = results;
  const isSuccess = run.ending === 'exited' && run.exitCode === 0 && failed === 0;
  const known = { ...target(args), ...countsOf(results) };
  if (!isSuccess) {
    const tests = total > 0 ? results : undefined;
    throw commandFailed(run, {
      verb: 'Test',
      known: { ...known, summary: 'Test run failed.', metadata },
      metadata,
      ...(tests && { tests }),
    });
  }
  const line = `Test succeeded: ${passed} passed, ${failed} failed, ${skipped} skipped`;
  const warning =
    total === 0 ? 'Warning: no test was run: no test matches the filter, or the project has none.' : undefined;
  return {
    data: { success: true, ...known, summary: 'Test run succeeded.', ...(warning && { warning }) },
    text: [line, warning].filter(Boolean).join('\n'),
    command: run.command,
    metadata,
  };
}

function listed(
  run: CommandRun,
  { listed: tests = [] }: TestRun,
  args: Arguments,
  metadata: Record<string, string>,
): Answer {
  if (run.ending !== 'exited' || run.exitCode !== 0)
    throw commandFailed(run, { verb: 'Test', known: target(args), metadata });
  const summary = `${tests.length} tests`;
  return {
    data: { success: true, ...target(args), tests, summary },
    text: [...tests, summary].join('\n'),
    command: run.command,
    metadata,
    output: run.output,
  };
}

export const testAction: Action = {
  takes: [
    ...(['project', 'configuration', 'verbosity', 'framework', 'filter', 'collect', 'resultsDirectory'] as const),
    ...(['logger', 'noBuild', 'noRestore', 'blame', 'listTests', 'testRunner'] as const),
    ...(['useLegacyProjectArgument', 'properties', 'appArgs'] as const),
  ],
  lock: projectLock('test'),
  progress: ['Running tests...', 'Tests complete'],
  run: test,
};
