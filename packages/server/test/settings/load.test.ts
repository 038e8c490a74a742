import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SettingsOverrides } from '../../src/settings/load.js';
import { DEFAULT_LIMITS } from '../../src/settings/plugin-limits.js';
import type { SettingSchema } from '../../src/settings/setting-schema.js';
import { formatProblem } from '../../src/settings/settings-error.js';
import { SETTINGS_SCHEMA } from '../../src/settings/settings-table.js';
import { Sandbox } from './sandbox.js';

/** Defaults that are filled in. */
const EXPECTED: Record<string, (baseDir: string) => unknown> = {
  'Plugins.Directory': (baseDir) => [join(baseDir, 'plugins')],
  'Plugins.Limits': () => DEFAULT_LIMITS,
  'Plugins.Confine': () => ({ Plugins: {}, Required: false }),
};

test('what is not set has its default', async () => {
  const sandbox = new Sandbox();
  const { settings, baseDir } = await sandbox.loadFile('{}');
  for (const [section, { properties = {} }] of Object.entries<SettingSchema>(SETTINGS_SCHEMA.properties)) {
    for (const [key, { default: defaultValue }] of Object.entries(properties)) {
      const expected = EXPECTED[`${section}.${key}`]?.(baseDir) ?? defaultValue;
      expect((settings as never)[section]![key], `${section}.${key}`).toEqual(expected);
    }
  }
});

test('the environment wins over the file, flags win over both', async () => {
  const sandbox = new Sandbox();
  const file = { Tools: { PageSize: 1, TimeoutMs: 1, NameStyle: 'exact' } };
  const env = { Tools__PageSize: '2', Tools__TimeoutMs: '2' };
  const { settings } = await sandbox.loadFile(file, { env, overrides: { Tools: { PageSize: 3 } } });
  expect(settings.Tools).toMatchObject({ PageSize: 3, TimeoutMs: 2, NameStyle: 'exact' });
});

test('members that a flag did not set are left alone', async () => {
  const overrides: SettingsOverrides = { Http: { Port: undefined } as never };
  expect((await new Sandbox().loadFile({ Http: { Port: 1 } }, { overrides })).settings.Http.Port).toBe(1);
});

test('paths are absolute: those of the file and the environment start at its folder, those of flags at the working directory', async () => {
  const sandbox = new Sandbox();
  const config = join(sandbox.cwd, 'config');
  const file = { Plugins: { Directory: ['a', '../b', join(sandbox.root, 'c')] }, Dotnet: { Path: 'sdk/dotnet' } };
  const loaded = (await sandbox.loadFile(file)).settings;
  expect(loaded.Plugins.Directory).toEqual([join(config, 'a'), join(sandbox.cwd, 'b'), join(sandbox.root, 'c')]);
  expect(loaded.Dotnet.Path).toBe(join(config, 'sdk', 'dotnet'));
  const fromEnv = await sandbox.loadFile(file, { env: { Plugins__Directory: 'e' } });
  expect(fromEnv.settings.Plugins.Directory).toEqual([join(config, 'e')]);
  const fromFlags = await sandbox.loadFile(file, { overrides: { Plugins: { Directory: ['f'] } } });
  expect(fromFlags.settings.Plugins.Directory).toEqual([join(sandbox.cwd, 'f')]);
});

test('a folder named ~ is a folder named ~', async () => {
  const { settings, baseDir } = await new Sandbox().loadFile({ Plugins: { Directory: '~/p' } });
  expect(settings.Plugins.Directory).toEqual([join(baseDir, '~', 'p')]);
});

test('the result is frozen to its depth', async () => {
  const loaded = await new Sandbox().loadFile({ Plugins: { Config: { a: { b: [1] } } }, Auth: { Keys: [] } });
  expect(() => Object.assign(loaded.settings.Tools, { PageSize: 1 })).toThrow(TypeError);
  expect(() => Object.assign(loaded.settings.Plugins.Config.a as object, { b: 1 })).toThrow(TypeError);
  expect(() => (loaded.warnings as string[]).push('x')).toThrow(TypeError);
});

test('keys are found in any case', async () => {
  const { settings } = await new Sandbox().loadFile({
    tools: { PAGESIZE: 4, namestyle: 'EXACT' },
    LOG: { level: 'Warn' },
  });
  expect(settings.Tools).toMatchObject({ PageSize: 4, NameStyle: 'exact' });
  expect(settings.Log.Level).toBe('warn');
});

test('a byte order mark and UTF-16 are read, and do not move the places', async () => {
  const sandbox = new Sandbox();
  expect((await sandbox.loadFile('\uFEFF{"Tools": {"PageSize": 5}}')).settings.Tools.PageSize).toBe(5);
  expect((await sandbox.fileProblems('\uFEFF{"Tools": {"PageSize": "x"}}'))[0]).toMatch(/^1:24 /);
  const configPath = sandbox.write('utf16.json', Buffer.from('\uFEFF{"Tools": {"PageSize": 6}}', 'utf16le'));
  expect((await sandbox.load({ configPath })).settings.Tools.PageSize).toBe(6);
});

test('a setting of an earlier version is ignored, with one warning that names it', async () => {
  const sandbox = new Sandbox();
  const { settings, warnings } = await sandbox.loadFile({
    Plugins: { Limits: { Blocks: 3, metabytes: 100, Tools: 7 } },
  });
  expect(settings.Plugins.Limits.Tools).toBe(7);
  expect(warnings).toEqual([
    'Plugins.Limits.Blocks is no longer a setting, and is ignored.',
    'Plugins.Limits.metabytes is no longer a setting, and is ignored.',
  ]);
});

test('keys that are names of object members are keys like any other', async () => {
  const text = '{"Plugins": {"Config": {"__proto__": {"x": "1"}, "constructor": "2", "toString": "3"}}}';
  const { Config } = (await new Sandbox().loadFile(text)).settings.Plugins;
  expect(Object.keys(Config)).toEqual(['__proto__', 'constructor', 'toString']);
  expect(({} as { x?: string }).x).toBeUndefined();
});

test('Plugins.Config keeps its values as they stand', async () => {
  const Config = { text: 't', number: 1.5, yes: true, none: null, list: [1, 'a', { b: [] }], nested: { 'A:B': '' } };
  expect((await new Sandbox().loadFile({ Plugins: { Config } })).settings.Plugins.Config).toEqual(Config);
});

test.each<[string, object, string]>([
  [
    'an unknown key',
    { Tools: { TimeoutMss: 1 } },
    '3:5 Tools.TimeoutMss is not a setting. Did you mean Tools.TimeoutMs?',
  ],
  [
    'a key that resembles none',
    { Log: { Colour: true } },
    '3:5 Log.Colour is not a setting. The nearest one is Log.Level. Log has: Level.',
  ],
  ['a key of another section', { Plugins: { NameStyle: 'exact' } }, 'Did you mean Tools.NameStyle?'],
  [
    'text for a number',
    { Tools: { TimeoutMs: '5000' } },
    '3:18 Tools.TimeoutMs is the text "5000", must be a whole number from 1 to 2147483647. Write it without quotes.',
  ],
  ['a fraction', { Tools: { PageSize: 1.5 } }, 'Tools.PageSize is 1.5, must be a whole number'],
  ['a number below the range', { Http: { MaxSessions: 0 } }, 'Http.MaxSessions is 0, must be a whole number from 1 to'],
  [
    'a number above the range',
    { Http: { Port: 65_536 } },
    'Http.Port is 65536, must be a whole number from 0 to 65535.',
  ],
  ['a delay that no timer takes', { Tools: { TimeoutMs: 3_000_000_000 } }, 'Tools.TimeoutMs is 3000000000'],
  [
    'text for a truth',
    { Plugins: { Enabled: 'true' } },
    'Plugins.Enabled is the text "true", must be true or false. Write it without quotes.',
  ],
  ['a number for a truth', { Plugins: { Enabled: 1 } }, 'Plugins.Enabled is 1, must be true or false.'],
  ['null', { Plugins: { Directory: null } }, 'Plugins.Directory is null, must be a path.'],
  ['an object for a path', { Plugins: { Directory: {} } }, 'Plugins.Directory is an object, must be'],
  ['an empty path', { Plugins: { Directory: ' ' } }, 'Plugins.Directory is the text " ", must be a path'],
  ['an empty path in a list', { Plugins: { Directory: ['a', ''] } }, 'Plugins.Directory[1] is empty, must be a path.'],
  ['a path with a NUL', { Dotnet: { Path: 'a\0' } }, 'Dotnet.Path is'],
  [
    'a misspelt choice',
    { Log: { Level: 'inof' } },
    'Log.Level is the text "inof", must be one of trace, debug, info, warn, error, silent. Did you mean info?',
  ],
  [
    'a choice of another type',
    { Dotnet: { Enabled: 'yes' } },
    'Dotnet.Enabled is the text "yes", must be one of auto, true, false.',
  ],
  ['text for a list', { Http: { AllowedHosts: 'a' } }, 'Http.AllowedHosts is the text "a", must be a list'],
  ['a list for an object', { Plugins: { Config: [] } }, 'Plugins.Config is a list, must be an object.'],
  [
    'a key that is there twice',
    { Tools: { PageSize: 1, pagesize: 2 } },
    '4:5 Tools.pagesize is a duplicate key (keys are case-insensitive).',
  ],
  [
    'a configured key that is there twice',
    { Plugins: { Config: { a: { x: 1, X: 2 } } } },
    'Plugins.Config.a.X is a duplicate key',
  ],
  ['a missing member', { Auth: { Keys: [{ Name: 'ci' }] } }, 'Auth.Keys[0] needs either Key or Sha256.'],
  [
    'an unknown member',
    { Auth: { Keys: [{ Name: 'a', Key: 'k'.repeat(32), Keyy: '' }] } },
    'Auth.Keys[0].Keyy is not a setting. Did you mean Auth.Keys[0].Key?',
  ],
  [
    'a server without command and url',
    { Plugins: { McpServers: { a: {} } } },
    'Plugins.McpServers.a needs either command or url.',
  ],
  [
    'a server with both',
    { Plugins: { McpServers: { a: { command: 'x', url: 'http://x' } } } },
    'Plugins.McpServers.a has both command and url.',
  ],
  [
    'arguments of a URL',
    { Plugins: { McpServers: { a: { url: 'http://x', args: [] } } } },
    'Plugins.McpServers.a.args requires command.',
  ],
  [
    'a number among environment variables',
    { Plugins: { McpServers: { a: { command: 'x', env: { PORT: 1 } } } } },
    'Plugins.McpServers.a.env.PORT is a number, must be text.',
  ],
  [
    'a URL of another kind',
    { Plugins: { McpServers: { a: { url: 'ftp://u:pass@x' } } } },
    'Plugins.McpServers.a.url is text of 14 characters, must be an http or https URL.',
  ],
])('%s is an error that names key, place and next step', async (_, file, expected) => {
  const [first, ...others] = await new Sandbox().fileProblems(file);
  expect(first).toContain(expected);
  expect(others).toEqual([]);
});

test('all problems are reported at once, each with its place, and the message has a line for each', async () => {
  const sandbox = new Sandbox();
  const problems = await sandbox.problems(() =>
    sandbox.loadFile('{\n"Plugin": {},\n"Tools": {"PageSize": -1, "X": 1},\n"Log": {"Level": 5}}', {
      env: { Http__Port: 'x' },
      overrides: { Http: { MaxSessions: 0 } },
    }),
  );
  expect(problems.map(({ key, line, column }) => [key, line, column])).toEqual([
    ['Plugin', 2, 1],
    ['Tools.X', 3, 27],
    ['Tools.PageSize', 3, 23],
    ['Http.Port', undefined, undefined],
    ['Http.MaxSessions', undefined, undefined],
    ['Log.Level', 4, 18],
  ]);
  expect(problems[3]!.message).toBe(
    'Environment variable Http__Port: Http.Port is the text "x", must be a whole number from 0 to 65535.',
  );
  expect(problems[4]!.message).toMatch(/^Command line: /);
  const file = join(sandbox.cwd, 'config', 'appsettings.json');
  expect(formatProblem(problems[1]!)).toBe(
    `${file}(3,27): Tools.X is not a setting. The nearest one is Tools.PageSize. Tools has: TimeoutMs, AnswerWaitMs, NameStyle, PageSize, TrustAnnotations, DefinitionBudget, MachineReadable.`,
  );
  await expect(sandbox.loadFile('{"Tools": {"a": 1, "b": 2}}')).rejects.toThrow(/Tools\.a .*\n.*Tools\.b /);
});

test('mounted servers are read as clients write them', async () => {
  const sandbox = new Sandbox();
  const { settings, baseDir } = await sandbox.loadFile({
    Plugins: {
      McpServers: {
        here: { type: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { A: '1', a: '2' } },
        local: { command: './bin/server', cwd: 'work' },
        far: { type: 'http', url: 'https://x.example/mcp', headers: { 'X-A': 'b' } },
        off: { command: 'x', disabled: true },
      },
    },
  });
  expect(settings.Plugins.McpServers).toEqual({
    here: { command: 'npx', args: ['-y', 'pkg'], env: { A: '1', a: '2' }, cwd: baseDir },
    local: { command: join(baseDir, 'bin', 'server'), cwd: join(baseDir, 'work') },
    far: { url: 'https://x.example/mcp', headers: { 'X-A': 'b' } },
  });
});
