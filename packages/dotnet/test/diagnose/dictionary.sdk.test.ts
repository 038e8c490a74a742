import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDiagnostics } from '../../src/diagnose/diagnostics.js';
import { DICTIONARY_CODES, lookUp } from '../../src/diagnose/dictionary.js';
import { describeWithSdk } from '../sdk.js';
import { SNIPPETS } from './provoking-csharp.js';

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
