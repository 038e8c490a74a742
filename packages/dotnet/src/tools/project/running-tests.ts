import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Which tests VSTest was running when it was ended. Its output names a test when it has ended; the diagnostic log of the test
 * host also names it when it starts (VSTest 18). The log costs about 30 ms for a run, and 0.2 ms for each test.
 */
export interface RunningTests {
  /** What makes VSTest write the log. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether a line of the output names the log. */
  isOurs(line: string): boolean;
  /** The full names of the tests that started and did not end, each once. */
  read(): Promise<string[]>;
  remove(): Promise<void>;
}

const LOG = 'log.txt';
/** VSTest puts the name of the process and a time into the name: `log.host.26-11-25_11-23-25_63083_5.txt`. */
const HOST_LOG = /^log\.host\..*\.txt$/;
const EVENT =
  /TestExecutionRecorder\.Record(?:Start: Starting test: (?<started>.+)\.|End: test: (?<ended>.+) execution completed\.)\r?$/gm;

export async function createRunningTests(): Promise<RunningTests> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-tests-'));
  const file = join(folder, LOG);
  return {
    env: { VSTEST_DIAG: file, VSTEST_DIAG_VERBOSITY: 'Verbose' },
    isOurs: (line) => line.startsWith('Logging Vstest Diagnostics in file: ') && line.includes(folder),
    async read() {
      const names = (await readdir(folder)).filter((name) => HOST_LOG.test(name));
      const logs = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      return logs.flatMap(runningIn);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The tests that started and did not end according to the log of a test host; the rows of a theory have one name. */
export function runningIn(log: string): string[] {
  const running = new Map<string, number>();
  for (const { groups = {} } of log.matchAll(EVENT)) {
    const { started, ended } = groups;
    const name = (started ?? ended)!;
    running.set(name, (running.get(name) ?? 0) + (started === undefined ? -1 : 1));
  }
  return [...running].filter(([, count]) => count > 0).map(([name]) => name);
}
