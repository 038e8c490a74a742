/** Why a whole run of `dotnet test` ran no test. */
export type NoTestsReason = 'malformed filter' | 'filter matches nothing' | 'no adapter' | 'wrong runner' | 'not built';

/** A run without any test, and the reason as far as the output shows it. */
export interface NoTests {
  readonly reason: NoTestsReason;
  /** What the runner said; undefined where it said nothing. */
  readonly message?: string;
}

interface Evidence {
  readonly output: string;
  readonly exitCode: number;
  readonly hasFilter: boolean;
  readonly noBuild: boolean;
}

/** Zero tests ran (https://aka.ms/testingplatform/exitcodes). */
export const ZERO_TESTS = 8;

/** In order: a malformed filter is also said to match nothing (SDK 10, VSTest 18, Microsoft.Testing.Platform 2). */
const REASONS: readonly (readonly [
  reason: NoTestsReason,
  pattern: RegExp,
  applies?: (evidence: Evidence) => boolean,
])[] = [
  ['wrong runner', /Testing with VSTest target is no longer supported by Microsoft\.Testing\.Platform[^\n[]*/],
  ['malformed filter', /Incorrect format for TestCaseFilter[^\n]*/],
  ['malformed filter', /InvalidOperationException: (Filter contains [^\n]*)/],
  ['not built', /The argument \S[^\n]* is invalid\. Please use the \/help option[^\n]*/, ({ noBuild }) => noBuild],
  ['not built', /The test source file "[^"\n]+" provided was not found\./, ({ noBuild }) => noBuild],
  ['not built', /An error occurred trying to start process [^\n]*No such file or directory/, ({ noBuild }) => noBuild],
  ['filter matches nothing', /No test matches the given testcase filter [^\n]*/],
  ['no adapter', /No test is available in [^\n]*/],
];

/** What the runners print after a run that passed (VSTest, Microsoft.Testing.Platform). */
const PASSED = /\bTest run (?:passed|successful)\b|\bPassed!/i;

/** Whether the output says that a run passed, even if it contains no counts. */
export function saysPassed(output: string): boolean {
  return PASSED.test(output);
}

/**
 * Why no test ran; undefined where the output gives no reason for that, such as a test host that crashed, or where it says
 * that a run passed.
 */
export function noTestsIn(evidence: Evidence): NoTests | undefined {
  const { output, exitCode, hasFilter } = evidence;
  for (const [reason, pattern, applies] of REASONS) {
    const match = applies?.(evidence) === false ? null : pattern.exec(output);
    if (match) return { reason, message: (match[1] ?? match[0]).trim() };
  }
  if (exitCode === ZERO_TESTS && hasFilter) return { reason: 'filter matches nothing' };
  if (exitCode === 0 && saysPassed(output)) return undefined;
  return exitCode === 0 || exitCode === ZERO_TESTS ? { reason: 'no adapter' } : undefined;
}
