/** The reason why a run of `dotnet test` ran no test at all. */
export type NoTestsReason = 'malformed filter' | 'filter matches nothing' | 'no adapter' | 'wrong runner' | 'not built';

export interface NoTests {
  readonly reason: NoTestsReason;
  /** The runner's message; absent if it printed none. */
  readonly message?: string;
}

interface Evidence {
  readonly output: string;
  readonly exitCode: number;
  readonly hasFilter: boolean;
  readonly noBuild: boolean;
}

/** The exit code of Microsoft.Testing.Platform if no test ran (https://aka.ms/testingplatform/exitcodes). */
export const ZERO_TESTS = 8;

/**
 * The reasons by the messages of SDK 10, VSTest 18 and Microsoft.Testing.Platform 2. The order matters, because for a
 * malformed filter the output also says that the filter matches nothing.
 */
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

/** The words of VSTest and Microsoft.Testing.Platform after a run that passed. */
const PASSED = /\bTest run (?:passed|successful)\b|\bPassed!/i;

export function saysPassed(output: string): boolean {
  return PASSED.test(output);
}

/**
 * Returns the reason why no test ran.
 * @returns undefined if the output gives none, for example after a crash of the test host, or says that the run passed
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
