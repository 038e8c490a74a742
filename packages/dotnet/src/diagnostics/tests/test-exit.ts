/** Exit codes of Microsoft.Testing.Platform: https://aka.ms/testingplatform/exitcodes. */
const MEANINGS: Readonly<Record<number, string>> = {
  2: 'At least one test failed',
  3: 'The test session was aborted',
  4: 'The set-up of the extensions is not valid',
  5: 'The command line of the test application is not valid',
  7: 'The test application crashed',
  8: 'No test ran: the filter matches none, or the project has none',
  9: 'Fewer tests ran than --minimum-expected-tests asks for',
  10: 'The test adapter failed',
  11: 'A process that the test application depends on has exited',
  12: 'Server and test application do not speak the same protocol version',
  13: 'The limit of failed tests was reached',
};

/** Returns the meaning of an exit code of Microsoft.Testing.Platform; undefined for 0, 1 and unknown codes. */
export function testExitMeaning(exitCode: number): string | undefined {
  return MEANINGS[exitCode];
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  '--filter': '--filter-class, --filter-method or --filter-query (xUnit.net v3), --treenode-filter (TUnit)',
  '--logger': '--report-trx, or --report-xunit-trx with xUnit.net v3',
  '--report-trx': '--report-xunit-trx with xUnit.net v3, or the package Microsoft.Testing.Extensions.TrxReport',
  '--collect': '--coverage, with the package Microsoft.Testing.Extensions.CodeCoverage',
  '--coverage': 'the package Microsoft.Testing.Extensions.CodeCoverage, which brings --coverage',
  '--blame': '--crashdump or --hangdump, with their packages',
};

export interface UnknownOption {
  readonly option: string;
  /** The options or the package to use instead; absent if none is known. */
  readonly replacement?: string;
}

/** Returns the unknown option because of which a test project exited with 5 without running a test. */
export function unknownTestOption(text: string): UnknownOption | undefined {
  const option = /^\s*(?:Standard output: )?Unknown option '(--?[\w-]{1,80})'/m.exec(text)?.[1];
  if (option === undefined) return undefined;
  const replacement = REPLACEMENTS[option];
  return { option, ...(replacement !== undefined && { replacement }) };
}

/** True if Microsoft.Testing.Platform ran the tests, so that {@link testExitMeaning} applies. */
export function isPlatformRun(text: string): boolean {
  return text.includes('Test run summary: ') || text.includes('aka.ms/testingplatform/exitcodes');
}
