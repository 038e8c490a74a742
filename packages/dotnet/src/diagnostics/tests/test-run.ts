import { nameInFrames, shownAs } from './test-name.js';

/** The results of a test run, from its output or from TRX files. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  readonly durationMs: number;
  readonly failures: readonly TestFailure[];
  /** Absent if the output names none. */
  readonly skippedTests?: readonly SkippedTest[];
  /** The tests that failed first and passed when the runner tried them again. */
  readonly retriedTests?: readonly RetriedTest[];
  /** The assemblies whose tests did not all run. */
  readonly unfinished?: readonly UnfinishedAssembly[];
  /** The assemblies of which the filter matches no test. */
  readonly withoutTests?: readonly AssemblyName[];
  readonly assemblies: readonly TestAssembly[];
  /** The tests that `--list-tests` named; absent if tests were run. */
  readonly listed?: readonly string[];
  /** The runner's messages about why no test ran; absent if there are none. */
  readonly notes?: readonly string[];
  /** A sentence with the call that runs only the failed tests. */
  readonly rerun?: string;
  /** Lines about the coverage and about the files that the run has written. */
  readonly reportLines?: readonly string[];
  /** The dialect of the output; absent if the results come from a file. */
  readonly runner?: 'vstest' | 'microsoft-testing-platform';
}

export interface TestFailure {
  /** The name as filters accept it: with namespace and class if they are known, without arguments. */
  readonly testName: string;
  /** The name that the framework shows, if it is more specific, such as `T.Rows(n: 2)`. */
  readonly displayName?: string;
  readonly printed?: PrintedTest;
  readonly message: string;
  readonly output?: string;
  /** The first {@link MAX_FRAMES} frames, one per line. */
  readonly stackTrace?: string;
}

/** A test as the command of Microsoft.Testing.Platform prints it. Many frameworks print only the method. */
export interface PrintedTest {
  readonly assembly: string;
  readonly name: string;
}

export interface SkippedTest {
  readonly testName: string;
  readonly printed?: PrintedTest;
  readonly reason?: string;
}

export interface RetriedTest {
  readonly testName: string;
  readonly printed?: PrintedTest;
  /** The number of the try in which it passed: 2 for a test that failed once. */
  readonly passedOnTry: number;
}

export interface AssemblyName {
  /** The file name without the folder, such as `App.Tests.dll`. */
  readonly name: string;
  readonly framework?: string;
}

/** An assembly whose process ended before all of its tests had run. */
export interface UnfinishedAssembly extends AssemblyName {
  /** A sentence without its full stop. */
  readonly cause: string;
  /** The output of the process that shows the cause. */
  readonly output?: string;
}

export interface TestAssembly extends AssemblyName {
  /** Absent if the test runner counts the passed tests of all assemblies together. */
  readonly passed?: number;
  readonly failed: number;
  readonly skipped: number;
  readonly durationMs: number;
}

const MAX_FRAMES = 10;

export const NO_TESTS: TestRun = {
  passed: 0,
  failed: 0,
  skipped: 0,
  total: 0,
  durationMs: 0,
  failures: [],
  assemblies: [],
};

/** Adds up several runs, such as those in the TRX files of a solution. */
export function sumTestRuns(runs: readonly TestRun[]): TestRun {
  const sum = (count: (run: TestRun) => number) => runs.reduce((total, run) => total + count(run), 0);
  const listed = runs.flatMap((run) => run.listed ?? []);
  const notes = runs.flatMap((run) => run.notes ?? []);
  const skippedTests = runs.flatMap((run) => run.skippedTests ?? []);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    total: sum(({ total }) => total),
    durationMs: sum(({ durationMs }) => durationMs),
    failures: runs.flatMap(({ failures }) => failures),
    assemblies: runs.flatMap(({ assemblies }) => assemblies),
    ...(runs.some((run) => run.listed) && { listed }),
    ...(notes.length > 0 && { notes }),
    ...(skippedTests.length > 0 && { skippedTests }),
  };
}

/**
 * Returns the first {@link MAX_FRAMES} frames of a stack trace, trimmed; undefined if there are none. NUnit repeats the
 * stack with a number for each failed assertion; only what comes before the first number is taken.
 */
export function framesOf(lines: readonly string[]): string | undefined {
  const frames = lines.map((line) => line.trim()).filter((line) => line !== '');
  const repeat = frames.findIndex((frame) => /^\d+\)\s+at /.test(frame));
  const firstStack = repeat > 0 ? frames.slice(0, repeat) : frames;
  return firstStack.length === 0 ? undefined : firstStack.slice(0, MAX_FRAMES).join('\n');
}

/** Parses `143 ms`, `< 1 ms`, `1s 518ms`, `1 m 2 s` and `1.5 s` into milliseconds; 0 for anything else. */
export function durationMsOf(text: string): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d{1,12}(?:[.,]\d{1,9})?)\s?(ms|d|h|m|s)/g)) {
    total += Number(amount!.replace(',', '.')) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return Math.round(total);
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the name that a filter accepts and, if it is more specific, the printed name. */
export function displayNames(
  headline: string,
  frames: readonly string[],
): Pick<TestFailure, 'testName' | 'displayName'> {
  const testName = nameInFrames(headline, frames);
  return { testName, ...shownAs(headline, testName) };
}
