import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';
import type { ActionContext } from '../../actions/action.js';
import { plainText } from '../../diagnostics/parse/clean-line.js';
import {
  parseTestOutput,
  parseTrx,
  sumTestRuns,
  type TestRun,
  testLogsIn,
} from '../../diagnostics/tests/test-results.js';
import type { CommandRun } from '../../process/command-run.js';
import { findProject, findUpward } from '../../project-files/find-project.js';

/** The files that a test run left, and its test results. */
export interface ReadReport {
  readonly results: TestRun;
  /** The files that the caller asked for, and no file of ours. */
  readonly reports: readonly TestReportFile[];
  /** The run without the lines that name files of ours. */
  readonly run: CommandRun;
}

/** The source of test results in addition to the output: which tests failed, and with which message. */
export interface TestReport {
  /** The options of `dotnet test` that make it. */
  readonly args: readonly string[];
  /** Reads it and deletes everything that was created for it, so that only the files of `dotnet test` itself remain. */
  read(run: CommandRun): Promise<ReadReport>;
}

/**
 * A TRX report of our own where the VSTest command runs tests, in the folder where a caller's would be. VSTest makes one
 * such report only, so there is none where the caller, the project or a settings file may ask for one; it is theirs that
 * is read then.
 *
 * @param isOtherLine whether a line of the output names another file of ours
 */
export function createTestReport(
  call: ActionContext,
  acceptsLoggers: boolean,
  isOtherLine: (line: string) => boolean = () => false,
): TestReport {
  const prefix = `mortise-${randomBytes(6).toString('hex')}`;
  const isOurs = ({ path }: { path: string }) => basename(path).startsWith(prefix);
  const hasOwn = acceptsLoggers && !call.args.listTests && !mayAskForTrx(call);
  const namesOurs = (line: string) =>
    (hasOwn && line.startsWith('Results File: ') && line.includes(prefix)) || isOtherLine(line);
  return {
    args: hasOwn ? ['--logger', `trx;LogFilePrefix=${prefix}`] : [],
    async read(run) {
      const files = testFilesIn(run.output).filter(({ path }) => existsSync(path));
      const ours = files.filter(isOurs);
      const reports = files.filter((file) => !isOurs(file));
      const trx = (hasOwn ? ours : files).filter(({ kind }) => kind === 'trx');
      const texts = (await Promise.all(trx.map(({ path }) => readFile(path, 'utf8').catch(() => '')))).filter(Boolean);
      const results = withTrx(await withLogs(run.output), texts);
      for (const { path } of ours) await removeOurs(path, run.startedAt);
      const without = (text: string) => withoutLines(text, namesOurs);
      return { results, reports, run: { ...run, output: without(run.output), stdout: without(run.stdout) } };
    },
  };
}

/** Settings that make VSTest write a TRX report, in any file that can contain them. */
const ASKS_FOR_TRX = /RunSettingsFilePath|VSTestSetting|VSTestLogger|LoggerRunSettings/;

function mayAskForTrx({ args, cwd, resolve }: ActionContext): boolean {
  const { logger, appArgs, properties, project = '.' } = args;
  if (/^trx\b/i.test(logger ?? '')) return true;
  if (ASKS_FOR_TRX.test(JSON.stringify([appArgs ?? '', properties ?? {}]))) return true;
  const path = resolve(project);
  const file = findProject(path);
  const folder = file ? dirname(file) : cwd;
  const names = ['Directory.Build.props', 'Directory.Build.targets', 'Directory.Build.rsp'];
  const settingsFile = args.settings === undefined ? undefined : resolve(args.settings);
  return [file, settingsFile, ...names.map((name) => findUpward(folder, name))].some(
    (item) => item !== undefined && ASKS_FOR_TRX.test(readFileSync(item, 'utf8')),
  );
}

const DEPLOYMENT_ROOT = /<Deployment runDeploymentRoot="([^"/\\]+)"/;

/** The report, the copies of attachments that VSTest made for it, and its folder where that was made for it. */
async function removeOurs(path: string, startedAt: Date): Promise<void> {
  const folder = dirname(path);
  const root = DEPLOYMENT_ROOT.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
  await rm(path, { force: true });
  if (root !== undefined && root !== '..' && root !== '.')
    await rm(join(folder, root), { recursive: true, force: true });
  const made = statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  // Fails where the folder has other files, and then it stays.
  if (made >= startedAt.getTime() - CLOCK_SLACK_MS) await rmdir(folder).catch(() => {});
}

/** File systems keep coarser times than the clock. */
const CLOCK_SLACK_MS = 20;

function withoutLines(text: string, isDropped: (line: string) => boolean): string {
  return text
    .split('\n')
    .filter((line) => !isDropped(line.trim()))
    .join('\n');
}

/** The counts are those that the command printed; TRX knows the failures better, where it saw all of the tests. */
function withTrx(text: TestRun, trxTexts: readonly string[]): TestRun {
  if (trxTexts.length === 0) return text;
  const trx = sumTestRuns(trxTexts.flatMap(readable));
  if (trx.failures.length < text.failures.length || trx.total + trx.failures.length === 0) return text;
  const { passed, failed, skipped, total } = text.total > 0 ? text : trx;
  const assemblies = text.assemblies.length > 0 ? text.assemblies : trx.assemblies;
  return { ...text, ...trx, passed, failed, skipped, total, assemblies };
}

/** A report of a run that was ended may be cut. */
function readable(text: string): TestRun[] {
  try {
    return [parseTrx(text)];
  } catch {
    return [];
  }
}

/** Projects of Microsoft.Testing.Platform name their failed tests in a log of their own under the VSTest command. */
function readLog(path: string): string {
  try {
    return readRegularFile(path).toString('utf16le');
  } catch {
    return '';
  }
}

async function withLogs(output: string): Promise<TestRun> {
  const text = parseTestOutput(output);
  const logs = testLogsIn(output).map(readLog);
  const failures = logs.flatMap((log) => parseTestOutput(log).failures);
  return failures.length === 0 ? text : { ...text, failures: [...text.failures, ...failures] };
}

/** A file that a test run left. */
export interface TestReportFile {
  readonly kind: 'coverage' | 'trx' | 'html' | 'blame';
  /** Absolute. */
  readonly path: string;
}

const KINDS: readonly (readonly [TestReportFile['kind'], RegExp])[] = [
  ['blame', /(?:^|[\\/])Sequence_[0-9a-f]+\.xml$|\.dmp$/i],
  ['trx', /\.trx$/i],
  ['html', /\.html?$/i],
  ['coverage', /\.coverage$|(?:cobertura|opencover|coverage)[^\\/]*\.(?:xml|json)$|lcov[^\\/]*$|\.info$/i],
];

const NAMED = /^\s*(?:Results File: |Html test results file : |Generating report ')(.+?)'?\s*$/;
const LIST_HEADING = /^\s*(?:Attachments|(?:In|Out of) process file artifacts produced):$/;
const LISTED = /^\s+(?:- )?((?:\/|[A-Za-z]:[\\/]|\\\\).+?)\s*$/;

/** The files that a test run reports as written, each once, in the order of their names in the output. */
export function testFilesIn(output: string): TestReportFile[] {
  const paths = new Set<string>();
  let isInList = false;
  for (const line of plainText(output).split(/\r?\n/)) {
    const named = NAMED.exec(line)?.[1];
    if (named !== undefined) paths.add(named);
    const listed: string | undefined = isInList ? LISTED.exec(line)?.[1] : undefined;
    if (listed !== undefined) paths.add(listed);
    isInList = LIST_HEADING.test(line) || listed !== undefined;
  }
  return [...paths].flatMap((path) => {
    const kind = KINDS.find(([, name]) => name.test(path))?.[0];
    return kind === undefined ? [] : [{ kind, path }];
  });
}
