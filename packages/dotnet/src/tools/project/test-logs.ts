import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlatformLog, readPlatformLog } from '../../diagnostics/tests/platform-log.js';

/**
 * The diagnostic logs of test hosts. They contain facts that no output shows: the tests that were running when the
 * hosts were ended (VSTest 18 and Microsoft.Testing.Platform), and the class of each test (Microsoft.Testing.Platform).
 * The logs cost about 30 ms per run and 0.2 ms per test.
 */
export interface TestLogs {
  /** The variables that make the test hosts write logs. */
  readonly env: Readonly<Record<string, string>>;
  /** True if a line of the output names one of the logs. */
  isOurs(line: string): boolean;
  read(): Promise<LoggedTests>;
  remove(): Promise<void>;
}

export interface LoggedTests {
  /** The full names of the tests that started and did not end, each once. */
  readonly running: readonly string[];
  readonly platformLogs: readonly PlatformLog[];
}

const LOG = 'log.txt';
/** Matches the names of host logs, to which VSTest adds a time: `log.host.26-11-25_11-23-25_63083_5.txt`. */
const HOST_LOG = /^log\.host\..*\.txt$/;
const PLATFORM_LOG = /\.diag$/;
const EVENT =
  /TestExecutionRecorder\.Record(?:Start: Starting test: (?<started>.+)\.|End: test: (?<ended>.+) execution completed\.)\r?$/gm;

export async function createTestLogs(): Promise<TestLogs> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-tests-'));
  const file = join(folder, LOG);
  const textsOf = async (namePattern: RegExp) => {
    const names = (await readdir(folder)).filter((name) => namePattern.test(name)).sort();
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };
  return {
    env: {
      VSTEST_DIAG: file,
      VSTEST_DIAG_VERBOSITY: 'Verbose',
      TESTINGPLATFORM_DIAGNOSTIC: '1',
      TESTINGPLATFORM_DIAGNOSTIC_VERBOSITY: 'Trace',
      TESTINGPLATFORM_DIAGNOSTIC_OUTPUT_DIRECTORY: folder,
    },
    isOurs: (line) => line.includes(folder) && /^(?:Logging Vstest Diagnostics in file: |Diagnostic file )/.test(line),
    async read() {
      const platformLogs = (await textsOf(PLATFORM_LOG)).flatMap((text) => readPlatformLog(text) ?? []);
      const hosts = (await textsOf(HOST_LOG)).flatMap(runningIn);
      return { running: [...hosts, ...platformLogs.flatMap(({ running }) => running)], platformLogs };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Returns the tests that started and did not end according to the log of a test host. They are counted, because all
 * rows of a theory have the same name.
 */
export function runningIn(log: string): string[] {
  const running = new Map<string, number>();
  for (const { groups = {} } of log.matchAll(EVENT)) {
    const { started, ended } = groups;
    const name = (started ?? ended)!;
    running.set(name, (running.get(name) ?? 0) + (started === undefined ? -1 : 1));
  }
  return [...running].filter(([, count]) => count > 0).map(([name]) => name);
}
