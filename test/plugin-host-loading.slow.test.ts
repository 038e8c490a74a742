import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithSdk } from '../packages/dotnet/test/sdk.js';
import { buildPluginHost, fixture, fixtureFolder, listProblems, openHost } from './support/plugin-host.js';

/** A copy of a plugin's folder, gone with the test. */
function copyOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(fixtureFolder(name), folder, { recursive: true });
  return folder;
}

const summary = (problems: Awaited<ReturnType<typeof listProblems>>) =>
  problems.map(({ severity, code, location }) => `${severity} ${code} ${location.subject ?? ''}`.trim());

describeWithSdk('what the host of C# plugins loads', () => {
  beforeAll(buildPluginHost, 600_000);

  it('offers every public class that it can make, and says what is wrong with the others', async () => {
    const { client } = await openHost(fixture('Classes'), { config: { suffix: 'x' } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['both_with_x', 'The tool both_with_x'],
      ['clash', 'The tool clash'],
      ['generic_Int32', 'The tool generic_Int32'],
      ['derived', 'The tool parameterless'],
      ['only_context_x', 'The tool only_context_x'],
      ['nested', 'The tool nested'],
      ['parameterless', 'The tool parameterless'],
      ['without_description', ''],
    ]);
    const problems = await listProblems(client);
    expect(summary(problems)).toEqual([
      'error TOOL_SCHEMA_INVALID Classes.ArraySchema',
      'error TOOL_SCHEMA_INVALID Classes.CircularDefault',
      'error TOOL_NAME_DUPLICATE Classes.ClashSecond',
      'error TOOL_MALFORMED Classes.NullName',
      'error TOOL_MALFORMED Classes.NullSchema',
      'warning CLASS_CONSTRUCTOR_SHAPE Classes.PrivateConstructor',
      'error CLASS_CONSTRUCTOR_THREW Classes.ThrowingConstructor',
      'error TOOL_MALFORMED Classes.ThrowingDescription',
      'error CLASS_CONSTRUCTOR_THREW Classes.ThrowingInitializer',
      'error TOOL_MALFORMED Classes.ThrowingName',
      'error TOOL_MALFORMED Classes.ThrowingSchema',
      'error CLASS_CONSTRUCTOR_THREW Classes.UnreadableError',
      'warning CLASS_CONSTRUCTOR_SHAPE Classes.WantsAnything',
      'warning CLASS_CONSTRUCTOR_SHAPE Classes.WantsText',
    ]);
    expect(problems.every(({ message, hint }) => message.length > 20 && hint.length > 20)).toBe(true);
    const messageOf = (name: string) =>
      problems.find(({ location }) => location.subject === `Classes.${name}`)!.message;
    expect(messageOf('ThrowingConstructor')).toContain('System.InvalidOperationException: api_key must be set');
    expect(messageOf('ThrowingInitializer')).toContain('System.NotSupportedException: not initialized');
    const placeOf = (name: string) => {
      const { file, line } = problems.find(({ location }) => location.subject === `Classes.${name}`)!.location;
      return file === undefined ? undefined : readFileSync(file, 'utf8').split('\n')[line! - 1]!.trim();
    };
    expect(placeOf('ThrowingConstructor')).toContain('api_key must be set');
    expect(placeOf('ThrowingName')).toContain('throw');
    expect(placeOf('NullName')).toBeUndefined();
    expect(messageOf('ClashSecond')).toContain("'clash', which Classes.ClashFirst has already");
  });

  it('has no problems to tell of a plugin without any', async () => {
    const { client } = await openHost(fixture('Toolbox'));
    expect(await listProblems(client)).toEqual([]);
  });
  it('loads the assemblies that lie beside a plugin', async () => {
    const { call } = await openHost(fixture('Toolbox'));
    expect(await call('sum', { numbers: [1, 2, 3] })).toBe('6');
  });

  it.skipIf(process.platform === 'win32')('loads a native library that lies beside a plugin', async () => {
    const folder = copyOf('Toolbox');
    const extension = process.platform === 'darwin' ? 'dylib' : 'so';
    copyFileSync(
      join(frameworkFolder(), `libSystem.Native.${extension}`),
      join(folder, `libtoolboxnative.${extension}`),
    );
    const { call, pid } = await openHost(join(folder, 'Toolbox.dll'));
    expect(await call('native')).toBe(String(pid));
  });

  it('tells a plugin the folder that it lies in', async () => {
    const { call } = await openHost(fixture('Toolbox'));
    expect(await call('base_directory')).toBe(join(fixtureFolder('Toolbox'), '/'));
  });

  it('does without a .deps.json', async () => {
    const folder = copyOf('Toolbox');
    rmSync(join(folder, 'Toolbox.deps.json'));
    const { call } = await openHost(join(folder, 'Toolbox.dll'));
    expect(await call('sum', { numbers: [1, 2, 3] })).toBe('6');
    writeFileSync(join(folder, 'Toolbox.deps.json'), '{ broken');
    const again = await openHost(join(folder, 'Toolbox.dll'));
    expect(await again.call('sum', { numbers: [4] })).toBe('4');
  });

  it.each<[string, (file: string) => void]>([
    ['missing', (file) => rmSync(file)],
    ['damaged', (file) => writeFileSync(file, 'This is not an assembly.')],
  ])('names the assembly that is %s; tools that do without it are offered', async (_, spoil) => {
    const folder = copyOf('Toolbox');
    spoil(join(folder, 'Newtonsoft.Json.dll'));
    const { client, call } = await openHost(join(folder, 'Toolbox.dll'));
    const problems = await listProblems(client);
    expect(summary(problems)).toEqual([
      'error PLUGIN_DEPENDENCY_MISSING Toolbox.ParsingTool',
      'error PLUGIN_DEPENDENCY_MISSING Toolbox.TakingTool',
      'warning PLUGIN_DEPENDENCY_MISSING',
    ]);
    for (const { message, hint } of problems) {
      expect(message).toBe('The assembly Newtonsoft.Json 13.0.0.0 cannot be found or loaded');
      expect(hint).toContain('Put Newtonsoft.Json.dll beside the plugin');
    }
    expect(await call('arguments')).toBe('null');
    expect(await call('sum', { numbers: [1] })).toContain("Could not load file or assembly 'Newtonsoft.Json");
  });

  it('says which .NET a plugin needs that is newer than the one here', async () => {
    const file = join(copyOf('Classes'), 'Classes.dll');
    writeFileSync(file, referToFramework(readFileSync(file), 99));
    const { client } = await openHost(file);
    const [problem, ...others] = await listProblems(client);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ severity: 'error', code: 'PLUGIN_DEPENDENCY_MISSING' });
    expect(problem!.message).toMatch(/^The plugin needs \.NET 99, but runs on \d+\./);
    expect(problem!.hint).toContain('Install the .NET 99 runtime');
  });

  it('says what another contract lacks', async () => {
    const { client } = await openHost(fixture('Outdated'));
    const problems = await listProblems(client);
    expect(summary(problems)).toEqual(['error CLASS_NOT_LOADED Outdated.OutdatedTool']);
    expect(problems[0]!.message).toContain('does not have an implementation');
  });

  it.runIf(frameworkVersion() >= 10)('takes what the framework has, also where it lies beside the plugin', async () => {
    const { call } = await openHost(fixture('Toolbox'));
    expect(dirname(await call('framework_file'))).toBe(frameworkFolder());
  });

  it.each<[string, string, (file: string) => void]>([
    ['an empty file', 'PLUGIN_SYNTAX_ERROR', (file) => writeFileSync(file, '')],
    ['some text', 'PLUGIN_SYNTAX_ERROR', (file) => writeFileSync(file, 'This is not an assembly.')],
    ['half an assembly', 'PLUGIN_SYNTAX_ERROR', (file) => truncateSync(file, 3000)],
    [
      'a native library',
      'PLUGIN_KIND_UNSUPPORTED',
      (file) => writeFileSync(file, Buffer.from('7f454c4602010100', 'hex')),
    ],
    ['no file', 'PLUGIN_UNREADABLE', (file) => rmSync(file)],
    ['a folder', 'PLUGIN_UNREADABLE', (file) => [rmSync(file), mkdirSync(file)]],
  ])('is told to load %s', async (_, code, spoil) => {
    const file = join(copyOf('Classes'), 'Classes.dll');
    spoil(file);
    const { client } = await openHost(file);
    expect((await client.listTools()).tools).toEqual([]);
    const problems = await listProblems(client);
    expect(summary(problems)).toEqual([`error ${code}`]);
    expect(problems[0]!.message).toContain('Classes.dll');
  });

  it('has nothing to offer of an assembly without tools', async () => {
    const { client } = await openHost(join(fixtureFolder('Classes'), 'McpServer.Plugin.Abstractions.dll'));
    expect((await client.listTools()).tools).toEqual([]);
    expect(await listProblems(client)).toEqual([]);
  });
});

/** The folder of the newest .NET, on which the host runs; empty where there is none. */
function frameworkFolder(): string {
  const { stdout } = spawnSync('dotnet', ['--list-runtimes'], { encoding: 'utf8' });
  const listed = [...(stdout ?? '').matchAll(/^Microsoft\.NETCore\.App (\S+) \[(.+)\]/gm)];
  const [, version = '', folder = ''] = listed.at(-1) ?? [];
  return join(folder, version);
}

function frameworkVersion(): number {
  return Number.parseInt(basename(frameworkFolder()), 10);
}

/** An assembly for .NET 8 as if it had been built for another version: the references in its metadata are changed. */
function referToFramework(assembly: Buffer, major: number): Buffer {
  const [reference, changed] = [8, major].map((item) => Buffer.from([item, ...Array(11).fill(0)]));
  const copy = Buffer.from(assembly);
  for (let at = copy.indexOf(reference!); at !== -1; at = copy.indexOf(reference!, at + 1)) changed!.copy(copy, at);
  return copy;
}
