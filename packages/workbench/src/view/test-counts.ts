export interface TestCounts {
  /** undefined if the test runner counts the passed tests of all assemblies together */
  readonly passed: number | undefined;
  readonly failed: number;
  readonly skipped: number;
}

export function countsText({ passed, failed, skipped }: TestCounts): string {
  const rest = `${failed} failed, ${skipped} skipped`;
  return passed === undefined ? rest : `${passed} passed, ${rest}`;
}
