import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRegularFile } from '@mortise/plugin/host';
import { readTestOutput, readTrx, sumTestRuns, type TestRun, testLogsIn } from '../../diagnose/test-results.js';
import type { ActionCall } from '../../tool/action.js';

/** What tells of the tests beside the output: it says which failed, and with what message. */
export interface TestReport {
  /** The options of `dotnet test` that make it. */
  readonly args: readonly string[];
  /** The results in `output`, with what the report knows beyond it. */
  read(output: string): Promise<TestRun>;
  /** Removes what was made for it. */
  remove(): Promise<void>;
}

/** The output alone, and the logs that it names. */
const OUTPUT_ALONE: TestReport = { args: [], read: withLogs, remove: async () => {} };

/** A TRX report beside the caller's own loggers, where the VSTest command runs tests. */
export async function createTestReport(call: ActionCall, takesLoggers: boolean): Promise<TestReport> {
  const { resultsDirectory, listTests } = call.args;
  if (!takesLoggers || listTests) return OUTPUT_ALONE;
  const prefix = `mortise-${randomBytes(6).toString('hex')}`;
  const own = resultsDirectory === undefined;
  const folder = own ? await mkdtemp(join(tmpdir(), 'mortise-test-')) : call.resolve(resultsDirectory);
  const ours = async () => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
  };
  return {
    args: ['--logger', `trx;LogFilePrefix=${prefix}`, ...(own ? ['--results-directory', folder] : [])],
    async read(output) {
      const files = await Promise.all((await ours()).map((file) => readFile(file, 'utf8')));
      const text = await withLogs(output);
      return files.length === 0 ? text : withTrx(text, sumTestRuns(files.map(readTrx)));
    },
    async remove() {
      if (own) await rm(folder, { recursive: true, force: true });
      else await Promise.all((await ours()).map((file) => rm(file, { force: true })));
    },
  };
}

/** TRX knows more than the text where there is one; the text where it saw more assemblies. */
function withTrx(text: TestRun, trx: TestRun): TestRun {
  if (trx.total < text.total) return text;
  return { ...text, ...trx, assemblies: text.assemblies.length > 0 ? text.assemblies : trx.assemblies };
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
  const text = readTestOutput(output);
  const logs = testLogsIn(output).map(readLog);
  const failures = logs.flatMap((log) => readTestOutput(log).failures);
  return failures.length === 0 ? text : { ...text, failures: [...text.failures, ...failures] };
}
