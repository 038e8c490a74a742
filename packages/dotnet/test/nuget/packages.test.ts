import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRestored, resolvedPackages } from '../../src/nuget/assets.js';
import { centralVersionsFile, referencedVersion } from '../../src/nuget/package-versions.js';
import { packagesOf, parsePackageList, parsePackageSearch } from '../../src/nuget/packages.js';
import { parseNuGetWhy } from '../../src/nuget/parse-nuget-why.js';
import { normalizeRange } from '../../src/nuget/version-range.js';
import { findProject } from '../../src/project-files/find-project.js';
import { folderWith } from '../msbuild/evaluations.js';

describe('normalizeRange', () => {
  it.each([
    ['1.0', '[1.0.0, )'],
    ['[1.0.0, )', '[1.0.0, )'],
    ['1.2.3.0', '[1.2.3, )'],
    ['1.2.3.4', '[1.2.3.4, )'],
    ['01.2', '[1.2.0, )'],
    ['1.0-Beta+x', '[1.0.0-beta, )'],
    ['[1.0]', '[1.0.0, 1.0.0]'],
    ['(,2.0)', '(, 2.0.0)'],
    ['[1,2)', '[1.0.0, 2.0.0)'],
    ['1.*', '[1.*, )'],
    ['', '(, )'],
  ])('gives %j as %j', (text, range) => {
    expect(normalizeRange(text)).toBe(range);
  });
});

const item = (include: string, metadata: Record<string, string> = {}) => ({
  include,
  fullPath: `/repo/${include}`,
  metadata,
});

function evaluationOf(framework: string, version = '13.0') {
  const inner = {
    framework,
    properties: { TargetFramework: framework },
    items: {
      PackageReference: [item('newtonsoft.json', { Version: version })],
      ProjectReference: [item('Lib.csproj'), item('Tool.csproj', { ReferenceOutputAssembly: 'false' })],
    },
  };
  return { project: '/repo/A.csproj', outer: inner, inner: [inner] };
}

const ASSETS = {
  targets: {
    '.NETCoreApp,Version=v8.0': {
      'Newtonsoft.Json/13.0.1': { type: 'package' },
      'Zeta/1.0.0': { type: 'package' },
      'Alpha/2.0.0-rc.1': { type: 'package' },
      'Lib/1.0.0': { type: 'project' },
    },
    '.NETCoreApp,Version=v8.0/linux-x64': {},
  },
  project: {
    frameworks: {
      'net8.0': {
        targetAlias: 'net8.0',
        dependencies: { 'Newtonsoft.Json': { version: '[13.0.0, )', target: 'Package' } },
      },
    },
    restore: { frameworks: { 'net8.0': { projectReferences: { '/repo/Lib.csproj': {} } } } },
  },
};

describe('the assets file of an SDK before 10.0.400', () => {
  it('gives the packages by name, the direct ones first', () => {
    expect(packagesOf(evaluationOf('net8.0'), ASSETS)).toEqual([
      { name: 'Newtonsoft.Json', requestedVersion: '13.0', resolvedVersion: '13.0.1', framework: 'net8.0' },
      { name: 'Alpha', resolvedVersion: '2.0.0-rc.1', framework: 'net8.0', transitive: true },
      { name: 'Zeta', resolvedVersion: '1.0.0', framework: 'net8.0', transitive: true },
    ]);
  });

  it.each([
    ['.NETStandard,Version=v2.0', 'netstandard2.0'],
    ['.NETFramework,Version=v4.7.2', 'net472'],
    ['.NETCoreApp,Version=v3.1', 'netcoreapp3.1'],
  ])('knows %s as %s', (target, framework) => {
    const assets = {
      targets: { [target]: { 'A/1.0.0': { type: 'package' } } },
      project: { frameworks: { [framework]: {} } },
    };
    expect(resolvedPackages(assets, framework)).toEqual([{ name: 'A', version: '1.0.0' }]);
  });

  it('is current only for what was restored', () => {
    expect(isRestored(evaluationOf('net8.0'), ASSETS)).toBe(true);
    expect(isRestored(evaluationOf('net8.0', '13.0.3'), ASSETS)).toBe(false);
    expect(isRestored(evaluationOf('net9.0'), ASSETS)).toBe(false);
    expect(isRestored(evaluationOf('net8.0'), undefined)).toBe(false);
    expect(isRestored(evaluationOf('net8.0'), { ...ASSETS, logs: [{ level: 'Error' }] })).toBe(false);
    const withoutReference = { ...ASSETS, project: { ...ASSETS.project, restore: {} } };
    // MSBuild skips a reference to what is not there.
    expect(isRestored(evaluationOf('net8.0'), withoutReference)).toBe(true);
    const evaluation = evaluationOf('net8.0');
    evaluation.inner[0]!.items.ProjectReference[0]!.fullPath = import.meta.filename;
    expect(isRestored(evaluation, withoutReference)).toBe(false);
  });
});

describe('parsePackageList', () => {
  it('reads versions, deprecations and vulnerabilities by framework', () => {
    const text = JSON.stringify({
      version: 1,
      sources: ['https://example.test/v3/index.json'],
      projects: [
        {
          path: '/repo/A.csproj',
          frameworks: [
            {
              framework: 'net10.0',
              topLevelPackages: [
                { id: 'A', requestedVersion: '1.0.0', resolvedVersion: '1.0.0', latestVersion: '2.0.0' },
                {
                  id: 'B',
                  requestedVersion: '1.0.0',
                  resolvedVersion: '1.0.0',
                  deprecationReasons: ['Legacy'],
                  alternativePackage: { id: 'C', versionRange: '>= 0.0.0' },
                },
              ],
              transitivePackages: [
                {
                  id: 'D',
                  resolvedVersion: '1.0.0',
                  vulnerabilities: [{ severity: 'High', advisoryurl: 'https://example.test/GHSA-1' }],
                },
              ],
            },
          ],
        },
        { path: '/repo/B.csproj' },
      ],
    });
    const common = { framework: 'net10.0', project: '/repo/A.csproj' };
    expect(parsePackageList(text)).toEqual({
      packages: [
        { name: 'A', requestedVersion: '1.0.0', resolvedVersion: '1.0.0', latestVersion: '2.0.0', ...common },
        {
          name: 'B',
          requestedVersion: '1.0.0',
          resolvedVersion: '1.0.0',
          deprecation: { reasons: ['Legacy'], alternative: { name: 'C', versionRange: '>= 0.0.0' } },
          ...common,
        },
        {
          name: 'D',
          resolvedVersion: '1.0.0',
          transitive: true,
          vulnerabilities: [{ severity: 'High', advisoryUrl: 'https://example.test/GHSA-1' }],
          ...common,
        },
      ],
      problems: [],
      needsRestore: false,
      projects: ['/repo/A.csproj', '/repo/B.csproj'],
      sources: ['https://example.test/v3/index.json'],
    });
  });

  it('knows when a restore is missing, and plain text from JSON', () => {
    const text = 'No assets file was found for `/repo/A.csproj`. Run restore before running this command.';
    const list = {
      version: 1,
      problems: [{ project: '/repo/A.csproj', level: 'error', text }],
      projects: [{ path: 'A' }],
    };
    expect(parsePackageList(JSON.stringify(list))).toMatchObject({
      needsRestore: true,
      problems: [text],
      packages: [],
    });
    expect(parsePackageList('error: Unable to load the service index\n')).toBeUndefined();
    expect(parsePackageList('null')).toBeUndefined();
  });
});

describe('parsePackageSearch', () => {
  it('gives each version once, and the words of sources that cannot be searched', () => {
    const text = JSON.stringify({
      version: 2,
      problems: [],
      searchResult: [
        {
          sourceName: 'one',
          packages: [{ id: 'A', latestVersion: '1.0.0', owners: 'x, y', totalDownloads: 7, description: 'd' }],
        },
        {
          sourceName: 'two',
          packages: [
            { id: 'a', version: '1.0.0' },
            { id: 'A', version: '0.9.0' },
          ],
        },
        { sourceName: 'three', problems: [{ text: 'No service!', problemType: 'Error' }], packages: [] },
      ],
    });
    expect(parsePackageSearch(text)).toMatchObject({
      packages: [
        { id: 'A', version: '1.0.0', owners: 'x, y', totalDownloads: 7, description: 'd' },
        { id: 'A', version: '0.9.0' },
      ],
      problems: ['three: No service!'],
    });
    expect(parsePackageSearch('error: oops\n')).toMatchObject({ packages: [], problems: ['error: oops'] });
  });
});

describe('readWhy', () => {
  const name = 'Microsoft.Extensions.DependencyInjection.Abstractions';
  const text = `Project 'Why' has the following dependency graph(s) for \n'${name}':

  [net10.0]                                                                     \n  [net9.0]
  ├── Top (v1.0.0)                                                              \n  │   ├── Middle (v2.0.0-rc.1)
  │   │   └── \u001b[38;5;14mMicrosoft.Extensions.DependencyInjection.Abstracti\u001b[0m
  │   │       \u001b[38;5;14mons (v10.0.14)\u001b[0m
  │   └── \u001b[38;5;14m${name} \u001b[0m
  │       \u001b[38;5;14m(v10.0.14)\u001b[0m
  └── ${name} (v10.0.14)

  [netstandard2.0]
  └── No dependency graph(s) found for this target framework.

`;

  it('gives every way to the package, wrapped lines joined', () => {
    const target = { name, version: '10.0.14' };
    const common = { project: 'Why', frameworks: ['net10.0', 'net9.0'] };
    const top = { name: 'Top', version: '1.0.0' };
    expect(parseNuGetWhy(text)).toEqual({
      paths: [
        { ...common, packages: [top, { name: 'Middle', version: '2.0.0-rc.1' }, target] },
        { ...common, packages: [top, target] },
        { ...common, packages: [target] },
      ],
    });
  });

  it('tells no dependency from a project that could not be asked', () => {
    const missing = 'No assets file was found for `/repo/A.csproj`. Run restore \nbefore running this command.\n';
    expect(parseNuGetWhy("Project 'App' does not have a dependency on 'Nope'.\n")).toEqual({ paths: [] });
    expect(parseNuGetWhy(missing)).toEqual({ problem: expect.stringContaining('Run restore before running') });
    expect(parseNuGetWhy(missing + text)).toMatchObject({ paths: { length: 3 }, problems: { length: 1 } });
  });
});

describe('versions in files', () => {
  it('are found by attribute or element, in any case', async () => {
    const folder = await folderWith({
      'Directory.Packages.props':
        '<Project><ItemGroup><PackageVersion Include="A" Version="1.0.0" /><PackageVersion Update="B"><Version> 2.0.0 </Version></PackageVersion></ItemGroup></Project>',
      'src/App/App.csproj':
        '<Project><ItemGroup><PackageReference Include="a" /><PackageReference Include="C" VersionOverride="3.0.0" /></ItemGroup></Project>',
      'src/App/broken.csproj': '<Project>',
    });
    const central = centralVersionsFile(join(folder, 'src/App'))!;
    expect(central).toBe(join(folder, 'Directory.Packages.props'));
    expect(['a', 'b', 'C'].map((id) => referencedVersion(central, id))).toEqual(['1.0.0', '2.0.0', undefined]);
    const project = join(folder, 'src/App/App.csproj');
    expect(['A', 'c'].map((id) => referencedVersion(project, id))).toEqual([undefined, '3.0.0']);
    expect(referencedVersion(join(folder, 'src/App/broken.csproj'), 'A')).toBeUndefined();
    expect(referencedVersion(join(folder, 'nowhere.csproj'), 'A')).toBeUndefined();
  });
});

describe('findProject', () => {
  it('takes a project, or the only one of a folder', async () => {
    const folder = await folderWith({
      'one/A.fsproj': '',
      'one/A.cs': '',
      'two/A.csproj': '',
      'two/B.csproj': '',
      'S.sln': '',
    });
    expect(findProject(join(folder, 'one'))).toBe(join(folder, 'one/A.fsproj'));
    expect(findProject(join(folder, 'one/A.fsproj'))).toBe(join(folder, 'one/A.fsproj'));
    expect(['two', 'S.sln', 'nowhere', 'one/A.cs'].map((path) => findProject(join(folder, path)))).toEqual(
      Array(4).fill(undefined),
    );
  });
});
