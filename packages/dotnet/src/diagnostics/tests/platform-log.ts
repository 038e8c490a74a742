import { shownAs, withoutArguments } from './test-name.js';
import type { TestFailure, TestRun } from './test-run.js';

/** The tests in the diagnostic log of a test application (Microsoft.Testing.Platform 1.9 to 2.5, level Trace). */
export interface PlatformLog {
  readonly assembly: string;
  /** The distinct full names of the tests that started and did not end. */
  readonly running: readonly string[];
  /**
   * The full names of the tests that failed or were skipped, in the order in which they ended, by the name that the
   * command prints. Several tests can have the same printed name.
   */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

const MODULE = / Test module: (.+)$/m;
/** Matches an update of a test up to the next line with a time, because messages of failures have several lines. */
const UPDATE =
  /^TestNodeUpdateMessage \{.*?TestNode = TestNode \{ Uid = TestNodeUid \{ Value = (?<uid>.*?) \}, DisplayName = (?<name>.*?), Properties = \[(?<properties>[\s\S]*?)(?=^\d{4}-\d\d-\d\dT|$(?![\s\S]))/gm;
const STATE = /\b(InProgress|Discovered|Passed|Skipped|Failed|Error|Timeout|Cancelled)TestNodeStateProperty \{/;
const METHOD = /TestMethodIdentifierProperty \{.*?Namespace = (.*?), TypeName = (.*?), MethodName = (.*?),/;
const TYPE = /TrxFullyQualifiedTypeNameProperty \{ FullyQualifiedTypeName = (.*?) \}/;

/** Reads the log of a test application; undefined if the text is not one. */
export function readPlatformLog(text: string): PlatformLog | undefined {
  const assembly = MODULE.exec(text)?.[1]?.trimEnd();
  if (assembly === undefined) return undefined;
  const running = new Map<string, string>();
  const names = new Map<string, string[]>();
  for (const { groups } of text.matchAll(UPDATE)) {
    const { uid, name, properties } = groups as { uid: string; name: string; properties: string };
    const state = STATE.exec(properties)?.[1];
    const fullName = fullNameOf(name, properties);
    if (state === 'InProgress') running.set(uid, fullName ?? (uid.endsWith(`.${name}`) ? uid : name));
    else if (state !== 'Discovered' && state !== undefined) running.delete(uid);
    if (fullName === undefined || state === undefined || !NAMED_STATES.has(state)) continue;
    names.set(name, [...(names.get(name) ?? []), fullName]);
  }
  return { assembly, running: [...new Set(running.values())], names };
}

const NAMED_STATES: ReadonlySet<string> = new Set(['Skipped', 'Failed', 'Error', 'Timeout', 'Cancelled']);

/**
 * Returns the name with the class in which the test ran. A stack would name the declaring class, maybe a base class.
 */
function fullNameOf(name: string, properties: string): string | undefined {
  const [, namespace, type, method] = METHOD.exec(properties) ?? [];
  if (method !== undefined) return [namespace, type, method].filter(Boolean).join('.');
  const fullType = TYPE.exec(properties)?.[1];
  if (fullType === undefined) return undefined;
  const testName = withoutArguments(name);
  return testName.startsWith(`${fullType}.`) ? testName : `${fullType}.${testName}`;
}

/** Replaces the printed names of tests by the full names in the logs. */
export function withLoggedNames(run: TestRun, logs: readonly PlatformLog[]): TestRun {
  const queues = new Map<string, string[]>();
  for (const { assembly, names } of logs) {
    for (const [name, fullNames] of names) {
      const key = `${assembly}|${name}`;
      queues.set(key, [...(queues.get(key) ?? []), ...fullNames]);
    }
  }
  // Several classes can inherit a test. Their results have the same printed name and are in the order of the log.
  const withFullName = <T extends Pick<TestFailure, 'testName' | 'printed'>>(test: T): T => {
    const { printed } = test;
    const queue = printed && queues.get(`${printed.assembly}|${printed.name}`);
    const testName = queue && queue.length > 1 ? queue.shift() : queue?.[0];
    return testName === undefined ? test : { ...test, testName, ...shownAs(printed!.name, testName) };
  };
  return {
    ...run,
    failures: run.failures.map(withFullName),
    ...(run.skippedTests && { skippedTests: run.skippedTests.map(withFullName) }),
    ...(run.retriedTests && { retriedTests: run.retriedTests.map(withFullName) }),
  };
}
