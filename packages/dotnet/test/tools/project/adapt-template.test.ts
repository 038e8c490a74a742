import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adaptTemplate } from '../../../src/tools/project/adapt-template.js';

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">

  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
  </PropertyGroup>

</Project>
`;
const EMPTY = 'namespace Lib;\n\npublic class Class1\n{\n\n}\n';

describe('a project made of a template', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(at(name), text);
  const created = () => [at('Lib/Lib.csproj'), at('Lib/Class1.cs')].filter(existsSync);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mortise-template-'));
    mkdirSync(at('Lib'));
    write('Lib/Lib.csproj', PROJECT);
    write('Lib/Class1.cs', EMPTY);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has no property that Directory.Build.props sets', async () => {
    const shared = '<TargetFramework>net8.0</TargetFramework><Nullable>enable</Nullable>';
    write('Directory.Build.props', `<Project><PropertyGroup>${shared}</PropertyGroup></Project>`);
    expect(await adaptTemplate(created(), {})).toMatchObject({ inherited: ['TargetFramework', 'Nullable'] });
    const text = readFileSync(at('Lib/Lib.csproj'), 'utf8');
    expect(text).toContain('    <ImplicitUsings>enable</ImplicitUsings>\n  </PropertyGroup>');
    expect(text).not.toMatch(/TargetFramework|Nullable/);
  });

  it('keeps the framework that the call asks for', async () => {
    const shared = '<TargetFramework>net8.0</TargetFramework>';
    write('Directory.Build.props', `<Project><PropertyGroup>${shared}</PropertyGroup></Project>`);
    expect(await adaptTemplate(created(), { framework: 'net10.0' })).toMatchObject({ inherited: [] });
    expect(readFileSync(at('Lib/Lib.csproj'), 'utf8')).toBe(PROJECT);
  });

  it('keeps a property that Directory.Build.props sets under a condition', async () => {
    const shared = `<Nullable Condition="'$(X)' == '1'">enable</Nullable>`;
    write('Directory.Build.props', `<Project><PropertyGroup>${shared}</PropertyGroup></Project>`);
    expect(await adaptTemplate(created(), {})).toMatchObject({ inherited: [] });
  });

  it.each([EMPTY, 'namespace Lib\n{\n    public class Class1\n    {\n    }\n}\n', 'public class Class1 { }'])(
    'loses its empty class: %j',
    async (text) => {
      write('Lib/Class1.cs', text);
      expect(await adaptTemplate(created(), {})).toMatchObject({ removed: [at('Lib/Class1.cs')] });
      expect(existsSync(at('Lib/Class1.cs'))).toBe(false);
    },
  );

  it('keeps a Class1 that has members', async () => {
    write('Lib/Class1.cs', 'public class Class1 { public int X; }');
    expect(await adaptTemplate(created(), {})).toMatchObject({ removed: [] });
  });

  it('is left as it is beside a Directory.Build.props that is no XML', async () => {
    write('Directory.Build.props', '<Project><PropertyGroup>');
    expect(await adaptTemplate(created(), {})).toMatchObject({ inherited: [] });
  });
});
