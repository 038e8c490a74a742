export type TestLibrary = 'mstest' | 'nunit' | 'tunit' | 'xunit' | 'xunit.v3';

/** The packages and SDKs by which projects reference each framework, directly or not. */
const ENGINES: readonly (readonly [name: RegExp, library: TestLibrary])[] = [
  [/^tunit(?:\.engine)?$/i, 'tunit'],
  [/^xunit\.v3(?:\.core)?(?:\.mtp-\w+)?$/i, 'xunit.v3'],
  [/^mstest(?:\.testadapter|\.sdk)?$/i, 'mstest'],
  [/^nunit3testadapter$/i, 'nunit'],
  [/^xunit(?:\.core)?$/i, 'xunit'],
];
const TEST_SDK = /^microsoft\.net\.test\.sdk$/i;

/** Returns the test framework to which one of the packages belongs; undefined if none does. */
export function testLibraryOf(packages: readonly string[]): TestLibrary | undefined {
  return ENGINES.find(([name]) => packages.some((item) => name.test(item)))?.[1];
}

/** True if a project that references these packages is a test project. */
export function isForTests(packages: readonly string[]): boolean {
  return packages.some((item) => TEST_SDK.test(item)) || testLibraryOf(packages) !== undefined;
}
