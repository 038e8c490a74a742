/** The test framework whose tests a project runs. */
export type TestLibrary = 'mstest' | 'nunit' | 'tunit' | 'xunit' | 'xunit.v3';

/** The package of each framework that runs tests: every way to reference the framework resolves to it, or is it. */
const ENGINES: readonly (readonly [name: RegExp, library: TestLibrary])[] = [
  [/^tunit(?:\.engine)?$/i, 'tunit'],
  [/^xunit\.v3(?:\.core)?(?:\.mtp-\w+)?$/i, 'xunit.v3'],
  [/^mstest(?:\.testadapter|\.sdk)?$/i, 'mstest'],
  [/^nunit3testadapter$/i, 'nunit'],
  [/^xunit(?:\.core)?$/i, 'xunit'],
];
const TEST_SDK = /^microsoft\.net\.test\.sdk$/i;

/** The test framework among the names of packages. */
export function testLibraryOf(packages: readonly string[]): TestLibrary | undefined {
  return ENGINES.find(([name]) => packages.some((item) => name.test(item)))?.[1];
}

/** Whether a project that references these packages is for tests. */
export function isForTests(packages: readonly string[]): boolean {
  return packages.some((item) => TEST_SDK.test(item)) || testLibraryOf(packages) !== undefined;
}
