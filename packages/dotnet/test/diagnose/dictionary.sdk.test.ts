import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDiagnostics } from '../../src/diagnose/diagnostics.js';
import { DICTIONARY_CODES, lookUp } from '../../src/diagnose/dictionary.js';
import { describeWithSdk } from '../sdk.js';
import { SNIPPETS } from './provoking-csharp.js';
import { BUILT_PROJECTS, CENTRAL_VERSIONS, RESTORED_PROJECTS } from './provoking-projects.js';

const ENV = {
  ...process.env,
  DOTNET_CLI_UI_LANGUAGE: 'en',
  VSLANG: '1033',
  DOTNET_NOLOGO: '1',
  NO_COLOR: '1',
  MSBUILDTERMINALLOGGER: 'off',
};

function dotnet(args: string[], cwd: string): string {
  const { stdout, stderr } = spawnSync('dotnet', args, { cwd, env: ENV, encoding: 'utf8', maxBuffer: 64 << 20 });
  return stdout + stderr;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diagnose-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWithSdk('the real C# compiler', () => {
  it.each(Object.entries(SNIPPETS))('prints each code for its snippet: %s', (name, snippets) => {
    const project = join(folder, name);
    mkdirSync(project);
    for (const [code, text] of Object.entries(snippets)) {
      writeFileSync(join(project, `${code}.cs`), name === 'parsing' ? text : `namespace N${code} { ${text} }`);
    }
    writeFileSync(
      join(project, 'p.csproj'),
      '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework><Nullable>enable</Nullable></PropertyGroup></Project>',
    );
    const { diagnostics } = readDiagnostics(dotnet(['build', '-v', 'q'], project));
    const found = new Set(diagnostics.map(({ file, code }) => `${file?.split('/').at(-1)} ${code}`));
    expect(Object.keys(snippets).filter((code) => !found.has(`${code}.cs ${code}`))).toEqual([]);
    expect(Object.keys(snippets).filter((code) => !lookUp(code))).toEqual([]);
  });
});

describeWithSdk('the real MSBuild, SDK and NuGet', () => {
  it('print each code for its project', () => {
    const root = join(folder, 'projects');
    mkdirSync(join(root, 'empty'), { recursive: true });
    for (const [code, text] of Object.entries({ ...BUILT_PROJECTS, ...RESTORED_PROJECTS })) {
      mkdirSync(join(root, code));
      writeFileSync(join(root, code, 'p.csproj'), text);
      writeFileSync(join(root, code, 'x.props'), '<Project />');
      writeFileSync(join(root, code, 'broken.props'), '<Project');
      const versions = CENTRAL_VERSIONS[code];
      if (versions !== undefined) writeFileSync(join(root, code, 'Directory.Packages.props'), versions);
    }
    const sources = '<packageSources><clear /><add key="empty" value="empty" /></packageSources>';
    writeFileSync(join(root, 'nuget.config'), `<configuration>${sources}</configuration>`);
    const items = (name: string, codes: object) =>
      Object.keys(codes)
        .map((code) => `<${name} Include="${code}/p.csproj" />`)
        .join('');
    const task = (name: string) => `<MSBuild Projects="@(${name})" Targets="${name}" ContinueOnError="true" />`;
    writeFileSync(
      join(root, 'all.proj'),
      `<Project><ItemGroup>${items('Build', BUILT_PROJECTS)}${items('Restore', RESTORED_PROJECTS)}</ItemGroup>` +
        `<Target Name="Build">${task('Build')}${task('Restore')}</Target></Project>`,
    );
    const { diagnostics } = readDiagnostics(dotnet(['msbuild', 'all.proj', '-nologo', '-v:q'], root));
    const found = new Set(
      diagnostics.flatMap(({ code, file = '', projects }) =>
        [file, ...projects].map((path) => `${path.split('/').at(-2)} ${code}`),
      ),
    );
    const codes = Object.keys({ ...BUILT_PROJECTS, ...RESTORED_PROJECTS });
    expect(codes.filter((code) => !found.has(`${code} ${code}`))).toEqual([]);
    expect(codes.filter((code) => !lookUp(code))).toEqual([]);
  });
});

/** `dotnet package add <PackageId> --version <version>` of a fix: the words of the verb, and the options. */
interface Command {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

function commandsIn(text: string): Command[] {
  return [...text.matchAll(/(?::\s|^)dotnet ([^;]+)$/g)].map(([, rest]) => {
    const parts = rest!.split(/\s+/);
    const end = parts.findIndex((part) => !/^[a-z][a-z-]*$/.test(part));
    const words = parts.slice(0, end < 0 ? parts.length : end);
    return { words, options: parts.filter((part) => part.startsWith('-')).map((part) => part.split(/[:=]/, 1)[0]!) };
  });
}

const commands = DICTIONARY_CODES.flatMap((code) => lookUp(code)!.suggestedFixes.flatMap(commandsIn));
const optionsByVerb = new Map<string, Set<string>>();
for (const { words, options } of commands) {
  const known = optionsByVerb.get(words.join(' ')) ?? new Set();
  for (const option of options) known.add(option);
  optionsByVerb.set(words.join(' '), known);
}

describeWithSdk('the real CLI', () => {
  it('is named in fixes at all', () => {
    expect(commands.length).toBeGreaterThan(80);
  });

  it.each([...optionsByVerb])('knows dotnet %s', (verb, options) => {
    const args = [...verb.split(' ').filter((word) => word !== ''), '--help'];
    const { status, stdout } = spawnSync('dotnet', args, { cwd: folder, env: ENV, encoding: 'utf8' });
    expect(status).toBe(0);
    const help = `${stdout}${verb === 'build' ? dotnet(['msbuild', '--help'], folder) : ''}`;
    if (verb !== '') expect(help).not.toMatch(/^Usage: dotnet \[/m);
    for (const option of options) {
      expect(help, `dotnet ${verb} ${option}`).toMatch(new RegExp(`(?:^|[\\s,|/])${option}(?=[\\s,:=<[|)]|$)`, 'm'));
    }
  });
});
