import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownTargetOf, packagesInTargets, packageTargetOf, sdkTargetOf } from '../../src/project-files/in-targets.js';

const folder = mkdtempSync(join(tmpdir(), 'mortise-targets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const project = join(folder, 'a.csproj');
writeFileSync(
  project,
  `<Project>
  <PropertyGroup><Evaluated>1</Evaluated></PropertyGroup>
  <Target Name="Both">
    <PropertyGroup><Written>1</Written></PropertyGroup>
    <Exec Command="x"><Output TaskParameter="ConsoleOutput" PropertyName="Printed" /></Exec>
    <ItemGroup><PackageReference Include="One; Two" /></ItemGroup>
  </Target>
</Project>`,
);
writeFileSync(
  join(folder, 'Sdk.targets'),
  '<Project><Target Name="Late"><PropertyGroup><OfSdk>1</OfSdk></PropertyGroup></Target></Project>',
);

it.each([
  ['Written', 'Both'],
  ['printed', 'Both'],
  ['Evaluated', undefined],
  ['OfSdk', undefined],
])('finds the target of the project that sets %s', (property, target) => {
  expect(ownTargetOf(project, property)?.target).toBe(target);
});

it('finds the target of the SDK, and the file', () => {
  expect(sdkTargetOf(folder, 'OfSdk')).toEqual({ target: 'Late', file: join(folder, 'Sdk.targets') });
  expect(sdkTargetOf(folder, 'Written')).toBeUndefined();
});

it('finds the packages of targets', () => {
  expect(packagesInTargets(project)).toEqual(['one', 'two']);
});

it('finds the target of a package that the restore lets the project import', () => {
  const [obj, build] = [join(folder, 'obj'), join(folder, 'packages/stamp/1.0.0/build')];
  for (const path of [obj, build]) mkdirSync(path, { recursive: true });
  writeFileSync(
    join(obj, 'a.csproj.nuget.g.props'),
    `<Project><PropertyGroup><NuGetPackageRoot Condition="true">${join(folder, 'packages')}/</NuGetPackageRoot></PropertyGroup></Project>`,
  );
  const imported = join(build, 'Stamp.targets');
  writeFileSync(
    join(obj, 'a.csproj.nuget.g.targets'),
    '<Project><ImportGroup><Import Project="$(NuGetPackageRoot)stamp/1.0.0/build/Stamp.targets" /></ImportGroup></Project>',
  );
  writeFileSync(
    imported,
    '<Project><Target Name="Stamp"><PropertyGroup><Version>2</Version></PropertyGroup></Target></Project>',
  );
  expect(packageTargetOf(project, obj, 'Version')).toEqual({ target: 'Stamp', file: imported });
  expect(packageTargetOf(project, obj, 'Written')).toBeUndefined();
  expect(packageTargetOf(project, folder, 'Version')).toBeUndefined();
});
