import { nameInFrames, shownAs } from './test-name.js';

/** The results of a test run, from any source. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  readonly durationMs: number;
  readonly failures: readonly TestFailure[];
  /** Absent where the output names none. */
  readonly skippedTests?: readonly SkippedTest[];
  /** The tests that failed first and passed when the runner tried them again. */
  readonly retriedTests?: readonly RetriedTest[];
  /** The assemblies whose tests did not all run. */
  readonly unfinished?: readonly UnfinishedAssembly[];
  /** The assemblies in which no test ran, as the filter matches none of theirs. */
  readonly withoutTests?: readonly AssemblyName[];
  readonly assemblies: readonly TestAssembly[];
  /** The tests that `--list-tests` named; absent where tests were run. */
  readonly listed?: readonly string[];
  /** Why no test ran, in the runner's words; absent where nothing was said. */
  readonly notes?: readonly string[];
  /** The call that runs the failed tests alone, as a sentence. */
  readonly rerun?: string;
  /** Coverage, and the files that the run left, one a line. */
  readonly reportLines?: readonly string[];
  /** The dialect of the output; absent where it came from a file. */
  readonly runner?: 'vstest' | 'microsoft-testing-platform';
}

export interface TestFailure {
  /** With namespace and class where they are known, and without arguments: as a filter takes it. */
  readonly testName: string;
  /** The name that the framework shows, if it is more specific: `T.Rows(n: 2)`. */
  readonly displayName?: string;
  readonly printed?: PrintedTest;
  readonly message: string;
  /** What the test itself printed. */
  readonly output?: string;
  /** The first {@link MAX_FRAMES} frames, one a line. */
  readonly stackTrace?: string;
}

/** A test as a command of Microsoft.Testing.Platform prints it: many frameworks name the method alone. */
export interface PrintedTest {
  /** The path of the test application. */
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
  /** 2 for a test that failed once. */
  readonly passedOnTry: number;
}

export interface AssemblyName {
  /** File name without folder: `App.Tests.dll`. */
  readonly name: string;
  readonly framework?: string;
}

/** An assembly whose process ended before all of its tests had run. */
export interface UnfinishedAssembly extends AssemblyName {
  /** A sentence without its full stop. */
  readonly cause: string;
  /** What it printed. */
  readonly output?: string;
}

export interface TestAssembly extends AssemblyName {
  /** Absent where the output gives it for all assemblies together only. */
  readonly passed?: number;
  readonly failed: number;
  readonly skipped: number;
  readonly durationMs: number;
}

const MAX_FRAMES = 10;

/** A run without results. */
export const NO_TESTS: TestRun = {
  passed: 0,
  failed: 0,
  skipped: 0,
  total: 0,
  durationMs: 0,
  failures: [],
  assemblies: [],
};

/** Several runs as one: the TRX files of a solution, for example. */
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
 * The frames of a stack trace, trimmed, at most {@link MAX_FRAMES}; undefined if there are none. NUnit repeats them for each
 * failed assertion, with its number.
 */
export function framesOf(lines: readonly string[]): string | undefined {
  const frames = lines.map((line) => line.trim()).filter((line) => line !== '');
  const repeat = frames.findIndex((frame) => /^\d+\)\s+at /.test(frame));
  const own = repeat > 0 ? frames.slice(0, repeat) : frames;
  return own.length === 0 ? undefined : own.slice(0, MAX_FRAMES).join('\n');
}

/** Milliseconds of `143 ms`, `< 1 ms`, `1s 518ms`, `1 m 2 s`, `1.5 s`; 0 for anything else. */
export function durationMsOf(text: string): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d{1,12}(?:[.,]\d{1,9})?)\s?(ms|d|h|m|s)/g)) {
    total += Number(amount!.replace(',', '.')) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return Math.round(total);
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A printed name in the form that a filter accepts, and as it was printed if that is more specific. */
export function displayNames(
  headline: string,
  frames: readonly string[],
): Pick<TestFailure, 'testName' | 'displayName'> {
  const testName = nameInFrames(headline, frames);
  return { testName, ...shownAs(headline, testName) };
}
