import { expect, it } from 'vitest';
import { asData, packageLines, packagesByProject } from '../../src/tools/packages-by-project.js';

const PACKAGES = [
  {
    name: 'A',
    requestedVersion: '1.0.0',
    resolvedVersion: '1.0.1',
    latestVersion: '2.0.0',
    framework: 'net10.0',
    project: 'P',
  },
  { name: 'B', resolvedVersion: '3.0.0', transitive: true, framework: 'net10.0', project: 'P' },
  {
    name: 'A',
    requestedVersion: '1.0.0',
    resolvedVersion: '1.0.0',
    framework: 'net8.0',
    project: 'Q',
    deprecation: { reasons: ['Legacy'], alternative: { name: 'C', versionRange: '>= 2.0.0' } },
    vulnerabilities: [{ severity: 'High', advisoryUrl: 'https://a' }],
  },
] as const;

it('groups packages by project and framework, with labelled versions', () => {
  const groups = packagesByProject(PACKAGES);
  expect(groups.map(asData)).toEqual([
    {
      project: 'P',
      framework: 'net10.0',
      packages: [
        { name: 'A', requestedVersion: '1.0.0', resolvedVersion: '1.0.1', latestVersion: '2.0.0' },
        { name: 'B', resolvedVersion: '3.0.0', transitive: true },
      ],
    },
    {
      project: 'Q',
      framework: 'net8.0',
      packages: [{ name: 'A', requestedVersion: '1.0.0', resolvedVersion: '1.0.0' }],
    },
  ]);
  expect(packageLines(PACKAGES)).toEqual([
    'P (net10.0)',
    '  A: requested 1.0.0, resolved 1.0.1, latest 2.0.0',
    '  B: resolved 3.0.0, transitive',
    'Q (net8.0)',
    '  A: requested 1.0.0, resolved 1.0.0, deprecated (Legacy), use C >= 2.0.0 instead, vulnerable (High) https://a',
  ]);
});

it('names a package of several frameworks once, and its frameworks where they are not all', () => {
  const entry = (name: string, framework: string, resolvedVersion = '1.0.0') => ({
    ...{ name, requestedVersion: resolvedVersion, resolvedVersion, framework, project: 'P' },
  });
  const same = [entry('A', 'net8.0'), entry('A', 'net10.0')];
  expect(packagesByProject(same).map(asData)).toEqual([
    { project: 'P', packages: [{ name: 'A', requestedVersion: '1.0.0', resolvedVersion: '1.0.0' }] },
  ]);
  expect(packageLines(same)).toEqual(['P (net8.0, net10.0)', '  A: requested 1.0.0, resolved 1.0.0']);
  const different = [...same, entry('B', 'net8.0', '2.0.0'), entry('B', 'net10.0', '3.0.0')];
  expect(packageLines(different)).toEqual([
    'P (net8.0, net10.0)',
    '  A: requested 1.0.0, resolved 1.0.0',
    '  B: requested 2.0.0, resolved 2.0.0 (net8.0)',
    '  B: requested 3.0.0, resolved 3.0.0 (net10.0)',
  ]);
  expect(packagesByProject(different).map(({ framework }) => framework)).toEqual(['net8.0', 'net10.0']);
});
