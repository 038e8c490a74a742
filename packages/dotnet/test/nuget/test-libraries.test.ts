import { expect, it } from 'vitest';
import { isForTests, testLibraryOf } from '../../src/nuget/test-libraries.js';

it.each([
  ['xunit.v3.mtp-v2', 'xunit.v3'],
  ['xunit.v3.core.mtp-v1', 'xunit.v3'],
  ['xunit', 'xunit'],
  ['MSTest', 'mstest'],
  ['MSTest.Sdk', 'mstest'],
  ['MSTest.TestAdapter', 'mstest'],
  ['NUnit3TestAdapter', 'nunit'],
  ['TUnit', 'tunit'],
])('%s runs tests of %s', (name, library) => {
  expect(testLibraryOf(['Newtonsoft.Json', name])).toBe(library);
  expect(isForTests([name])).toBe(true);
});

it.each(['xunit.v3.extensibility.core', 'TUnit.Core', 'NUnit', 'MSTest.TestFramework', 'My.MSTest'])(
  '%s alone is referenced by libraries of tests, and runs none',
  (name) => expect(isForTests([name])).toBe(false),
);

it('takes a project with the SDK of tests for one, whatever runs them', () => {
  expect(isForTests(['Microsoft.NET.Test.Sdk'])).toBe(true);
  expect(testLibraryOf(['Microsoft.NET.Test.Sdk'])).toBeUndefined();
});
