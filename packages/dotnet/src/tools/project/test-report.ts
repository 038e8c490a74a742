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

/** The results of a test run, and the files that it wrote. */
export interface ReadReport {
  readonly results: TestRun;
  /** The files that the caller or the project asked for. Mortise's own report is left out. */
  readonly reports: readonly TestReportFile[];
  /** The run without the lines that name Mortise's own files. */
  readonly run: CommandRun;
}

/** A report with the failed tests and their messages, in addition to the output. */
export interface TestReport {
  /** The options that make `dotnet test` write the report. */
  readonly args: readonly string[];
  /** Reads the report, and deletes all files that were created only for it. */
  read(run: CommandRun): Promise<ReadReport>;
}

/**
 * Creates Mortise's own TRX report if the VSTest command runs the tests. It is written to the folder of the caller's
 * reports. VSTest writes only one TRX report, so if the caller, the project or a settings file may ask for one, that
 * report is read instead.
 * @param acceptsLoggers true if the VSTest command runs the tests
 * @param isOtherLine true for a line of the output that names another file of Mortise
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
      for (const { path } of ours) await removeReport(path, run.startedAt);
      const without = (text: string) => withoutLines(text, namesOurs);
      return { results, reports, run: { ...run, output: without(run.output), stdout: without(run.stdout) } };
    },
  };
}

/** Matches settings that can make VSTest write a TRX report, in any file that can contain them. */
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

/**
 * Removes the report, the attachments that VSTest copied for it, and the folder of the report if the run created it.
 * @param startedAt the start of the run
 */
async function removeReport(path: string, startedAt: Date): Promise<void> {
  const folder = dirname(path);
  const root = DEPLOYMENT_ROOT.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
  await rm(path, { force: true });
  if (root !== undefined && root !== '..' && root !== '.')
    await rm(join(folder, root), { recursive: true, force: true });
  const createdAtMs = statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  // This fails, as it should, if the folder contains other files.
  if (createdAtMs >= startedAt.getTime() - CLOCK_SLACK_MS) await rmdir(folder).catch(() => {});
}

/** The maximum difference between the clock and the times of files, which are coarser. */
const CLOCK_SLACK_MS = 20;

function withoutLines(text: string, isDropped: (line: string) => boolean): string {
  return text
    .split('\n')
    .filter((line) => !isDropped(line.trim()))
    .join('\n');
}

/**
 * Adds the results of TRX reports to those of the output. The counts of the output take precedence. The failures of the
 * reports take precedence if the reports have all of them, because they are more detailed.
 */
function withTrx(text: TestRun, trxTexts: readonly string[]): TestRun {
  if (trxTexts.length === 0) return text;
  const trx = sumTestRuns(trxTexts.flatMap(readable));
  if (trx.failures.length < text.failures.length || trx.total + trx.failures.length === 0) return text;
  const { passed, failed, skipped, total } = text.total > 0 ? text : trx;
  const assemblies = text.assemblies.length > 0 ? text.assemblies : trx.assemblies;
  return { ...text, ...trx, passed, failed, skipped, total, assemblies };
}

/** Parses a report. Returns an empty list if it is incomplete, because the run was ended. */
function readable(text: string): TestRun[] {
  try {
    return [parseTrx(text)];
  } catch {
    return [];
  }
}

/**
 * Reads the log in which a project of Microsoft.Testing.Platform lists its failed tests if the VSTest command runs it.
 */
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

export interface TestReportFile {
  readonly kind: 'coverage' | 'trx' | 'html' | 'blame';
  /** The absolute path. */
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

/** Returns the files that the output of a test run names, each once, in order of first appearance. */
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
