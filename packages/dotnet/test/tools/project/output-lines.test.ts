import { describe, expect, it } from 'vitest';
import { isBuildFailure } from '../../../src/sessions/build-output.js';
import { outputIn, publishedFolders } from '../../../src/tools/project/output-lines.js';
import { ignoredOptions } from '../../../src/tools/project/test-runner.js';

describe('a line that says what was built', () => {
  it.each([
    ['  App -> /src/App/bin/App.dll', { project: 'App', path: '/src/App/bin/App.dll' }],
    ['     1>My App -> /src/My App/bin/App.dll', { project: 'My App', path: '/src/My App/bin/App.dll' }],
    ['  App -> C:\\src\\App\\App.dll', { project: 'App', path: 'C:\\src\\App\\App.dll' }],
    ['a.cs(1,2): warning X1: use a -> b', undefined],
    [' -> /src/App.dll', undefined],
    ['  App', undefined],
  ])('%j', (line, output) => {
    expect(outputIn(line)).toEqual(output);
  });

  it('is of a publish where it ends with a slash', () => {
    const outputs = ['/a/App.dll', '/a/publish/', 'C:\\a\\publish\\'].map((path) => ({ project: 'App', path }));
    expect(publishedFolders(outputs).map(({ path }) => path)).toEqual(['/a/publish/', 'C:\\a\\publish\\']);
  });
});

describe('what dotnet run printed', () => {
  const diagnostic = '/a/P.cs(1,1): error CS0103: no such name [/a/a.csproj]\n';
  it.each([
    [`${diagnostic}\nThe build failed. Fix the build errors and run again.\n`, true],
    ['/a/a.csproj(1,75): error MSB4025: The project file could not be loaded.\n', true],
    [`${diagnostic}'../a.csproj' is not a valid project file.\n`, true],
    ['working\ndata.txt: error E12: bad input\n', false],
    [`/a/P.cs(1,1): warning CS0219: unused\nUnhandled exception. System.Exception: no\n`, false],
  ])('%j is of a build: %s', (output, isBuild) => {
    expect(isBuildFailure(output)).toBe(isBuild);
  });
});

describe('options that Microsoft.Testing.Platform ignored', () => {
  const warning = (properties: string) =>
    `/t.targets(1,1): warning MTP0001: They will be ignored. The following properties are set: ${properties}. [/a.csproj]\n`;

  it('are those that the caller gave', () => {
    const output = warning('VSTestTestCaseFilter; VSTestLogger; VSTestResultsDirectory; ');
    expect(ignoredOptions(output + output, { filter: 'F', resultsDirectory: 'r' })).toEqual([
      'filter',
      'resultsDirectory',
    ]);
    expect(ignoredOptions(output, {})).toEqual([]);
    expect(ignoredOptions('no warning', { filter: 'F' })).toEqual([]);
  });
});
