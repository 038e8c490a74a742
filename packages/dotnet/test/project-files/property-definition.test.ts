import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { definitionOf, versionSource } from '../../src/project-files/property-definition.js';

const group = (xml: string) => `<Project>\n<PropertyGroup>\n${xml}\n</PropertyGroup>\n</Project>`;

describe('the definition of a property', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const write = (name: string, xml: string) => writeFileSync(at(name), group(xml));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mortise-definition-'));
    mkdirSync(at('app'));
    write('app/app.csproj', '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const find = (value: string) => definitionOf(at('app/app.csproj'), 'Version', value);

  it('is in the project before it is in a Directory.Build.props', () => {
    write('Directory.Build.props', '<Version>1.0.0</Version>');
    expect(find('1.0.0')).toEqual({ file: at('Directory.Build.props'), line: 3 });
    write('app/app.csproj', '<A />\n<version>1.0.0</version>');
    expect(find('1.0.0')).toEqual({ file: at('app/app.csproj'), line: 4 });
  });

  it('is in Directory.Build.targets, which is evaluated last', () => {
    write('app/app.csproj', '<Version>1.0.0</Version>');
    write('Directory.Build.targets', '<Version>2.0.0</Version>');
    expect(find('2.0.0')).toEqual({ file: at('Directory.Build.targets'), line: 3 });
    expect(find('1.0.0')).toEqual({ file: at('app/app.csproj'), line: 3 });
  });

  it('can refer to other properties', () => {
    write('app/app.csproj', '<Version>$(Major).0.0</Version>');
    expect(find('3.0.0')).toEqual({ file: at('app/app.csproj'), line: 3 });
  });

  it('is not known if no file gives that value', () => {
    write('app/app.csproj', '<Version>1.0.0</Version>');
    expect(find('9.0.0')).toBeUndefined();
  });

  it.each([
    ['Version', '1.4.0'],
    ['Version', '1.4.0-beta'],
    ['PackageVersion', '1.4.0'],
  ])('of %s can be that of VersionPrefix', (name, value) => {
    write('Directory.Build.props', '<VersionPrefix>1.4.0</VersionPrefix>');
    const place = { property: 'VersionPrefix', file: at('Directory.Build.props'), line: 3 };
    expect(versionSource(at('app/app.csproj'), name, value)).toEqual(place);
    expect(versionSource(at('app/app.csproj'), 'Title', value)).toBeUndefined();
    write('app/app.csproj', `<${name}>${value}</${name}>`);
    expect(versionSource(at('app/app.csproj'), name, value)).toBeUndefined();
  });
});
