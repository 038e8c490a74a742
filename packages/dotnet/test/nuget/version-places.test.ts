import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VersionPlaces } from '../../src/nuget/package-versions.js';

const FILES = {
  'Directory.Packages.props': `<Project>
  <ItemGroup>
    <PackageVersion Include="Plain" Version="1.0.0" />
    <PackageVersion Include="Split" Version="8.0.0" Condition="'$(TargetFramework)' == 'net8.0'" />
    <PackageVersion Include="Split" Version="10.0" Condition="'$(TargetFramework)' == 'net10.0'" />
    <PackageVersion Include="Named" Version="$(NamedVersion)" />
    <GlobalPackageReference Include="Everywhere" Version="3.1.0" />
  </ItemGroup>
</Project>`,
  'src/Directory.Build.props':
    '<Project>\n<ItemGroup><PackageReference Include="Shared" Version="2.0.0" /></ItemGroup></Project>',
  'src/App/App.csproj': `<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <PackageReference Include="plain" />
    <PackageReference Include="Own" VersionOverride="[4.0.0]" />
    <PackageReference Include="Child">
      <Version>5.0.0</Version>
    </PackageReference>
  </ItemGroup>
</Project>`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'places-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['Plain', '1.0.0', 'Directory.Packages.props:3'],
  ['Plain', '[1.0.0, )', 'Directory.Packages.props:3'],
  ['Split', '8.0.0', 'Directory.Packages.props:4'],
  ['Split', '10.0.0', 'Directory.Packages.props:5'],
  ['Named', '7.7.7', 'Directory.Packages.props:6'],
  ['Everywhere', '3.1.0', 'Directory.Packages.props:7'],
  ['Shared', '2.0.0', 'src/Directory.Build.props:2'],
  ['Own', '[4.0.0]', 'src/App/App.csproj:4'],
  ['Child', '5.0.0', 'src/App/App.csproj:5'],
  ['Plain', '9.9.9', undefined],
  ['OfTheSdk', '1.0.0', undefined],
])('%s %s is declared at %s', (packageId, version, expected) => {
  const place = new VersionPlaces().placeOf(join(folder, 'src/App/App.csproj'), packageId, version);
  expect(place && `${relative(folder, place.file)}:${place.line}`).toBe(expected);
});
