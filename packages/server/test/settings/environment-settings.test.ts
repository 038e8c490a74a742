import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environmentName } from '../../src/settings/environment-settings.js';
import { DEFAULT_LIMITS } from '../../src/settings/plugin-limits.js';
import { COMPLETE_SCHEMA } from '../../src/settings/rare-settings.js';
import type { SettingSchema } from '../../src/settings/setting-schema.js';
import { Sandbox } from './sandbox.js';

const load = (env: Record<string, string>, file: object = { Tools: {} }) => new Sandbox().loadFile(file, { env });

test.each<[Record<string, string>, object]>([
  [{ Tools__TimeoutMs: '60000' }, { Tools: { TimeoutMs: 60_000 } }],
  [{ TOOLS__TIMEOUTMS: ' 6e4 ' }, { Tools: { TimeoutMs: 60_000 } }],
  [{ Plugins__Enabled: 'False' }, { Plugins: { Enabled: false } }],
  [{ dotnet__enabled: 'TRUE' }, { Dotnet: { Enabled: true } }],
  [{ Dotnet__Enabled: 'auto' }, { Dotnet: { Enabled: 'auto' } }],
  [{ Log__Level: 'Debug' }, { Log: { Level: 'debug' } }],
  [{ Http__Host: '0.0.0.0' }, { Http: { Host: '0.0.0.0' } }],
  [{ Http__AllowedHosts: '["a", "b"]' }, { Http: { AllowedHosts: ['a', 'b'] } }],
  [{ Http__AllowedHosts: 'a' }, { Http: { AllowedHosts: ['a'] } }],
  [{ Http__AllowedHosts: '[::1]' }, { Http: { AllowedHosts: ['[::1]'] } }],
  [
    { Http__AllowedHosts__1: 'b', Http__AllowedHosts__0: 'a', Http__AllowedHosts__10: 'd', Http__AllowedHosts__2: 'c' },
    { Http: { AllowedHosts: ['a', 'b', 'c', 'd'] } },
  ],
  [{ Plugins__Config__api_key: 'true' }, { Plugins: { Config: { api_key: 'true' } } }],
  [{ Plugins__Config__a__b: '1', Plugins__Config__a__c: '[2]' }, { Plugins: { Config: { a: { b: '1', c: '[2]' } } } }],
  [
    { Plugins__Config: '{"a": {"b": 1}}', Plugins__Config__a__c: 'x' },
    { Plugins: { Config: { a: { b: 1, c: 'x' } } } },
  ],
  [{ Plugins__Limits__Tools: '7' }, { Plugins: { Limits: { ...DEFAULT_LIMITS, Tools: 7 } } }],
  [{ PLUGINS__CONFIG___x: 'y' }, { Plugins: { Config: { _x: 'y' } } }],
  [
    { Auth__Keys__0__Name: 'ci', Auth__Keys__0__Key: 'k'.repeat(32) },
    { Auth: { Keys: [{ Name: 'ci', Key: 'k'.repeat(32), Scopes: ['mortise:read', 'mortise:write'] }] } },
  ],
  [
    {
      Plugins__McpServers__gh__command: 'gh',
      Plugins__McpServers__gh__args: '["mcp"]',
      Plugins__McpServers__gh__env__A: '1',
    },
    { Plugins: { McpServers: { gh: { command: 'gh', args: ['mcp'], env: { A: '1' } } } } },
  ],
])('%j is read by the type of its setting', async (env, expected) => {
  const { settings, warnings } = await load(env);
  expect(settings).toMatchObject(expected);
  expect(warnings).toEqual([]);
});

test('every setting has its variable, which is the one that the docs show', async () => {
  for (const [section, { properties = {} }] of Object.entries<SettingSchema>(COMPLETE_SCHEMA.properties)) {
    for (const [key, schema] of Object.entries(properties)) {
      const env = { [environmentName(section, key)]: schema.properties ? '{}' : '{"a":1}' };
      const message = await load(env).then(() => '', String);
      expect(message, key).not.toMatch(/is not a setting/);
    }
  }
});

test('keys and entries of the file are overridden one by one, under the key that the file has', async () => {
  const file = { Plugins: { Config: { Api_Key: 'old', other: 1 }, Directory: ['a', 'b'] } };
  const { settings, baseDir } = await load(
    { PLUGINS__CONFIG__API_KEY: 'new', Plugins__Directory__1: 'c', Plugins__Directory__7: 'd' },
    file,
  );
  expect(settings.Plugins.Config).toEqual({ Api_Key: 'new', other: 1 });
  expect(settings.Plugins.Directory).toEqual(['a', 'c', 'd'].map((name) => join(baseDir, name)));
});

test('variables of mounted servers differ by case, as they do for programs', async () => {
  const prefix = 'Plugins__McpServers__x__env__';
  const { settings } = await load(
    { [`${prefix}HTTP_PROXY`]: 'upper' },
    { Plugins: { McpServers: { x: { command: 'x', env: { http_proxy: 'lower' } } } } },
  );
  expect(settings.Plugins.McpServers.x).toMatchObject({ env: { http_proxy: 'lower', HTTP_PROXY: 'upper' } });
});

test.each([
  ['Tools__TimeOut', 'Tools.TimeOut is not a setting. Did you mean Tools.TimeoutMs?'],
  ['Tools__TimeoutMs__Max', 'Tools.TimeoutMs has no nested settings'],
  ['Plugins__', 'Plugins. is not a setting.'],
  ['Plugins__Config____x', 'Plugins.Config. is not a setting.'],
  ['Plugins__Directory__first', 'Plugins.Directory.first is not a setting.'],
  [`Plugins__Config${'__a'.repeat(20_000)}`, 'more than 32 levels'],
])('%s is a warning, and nothing else changes', async (variable, warning) => {
  const { warnings, settings } = await load({ [variable]: '1' }, { Tools: { TimeoutMs: 7 } });
  expect(warnings).toEqual([expect.stringContaining(warning)]);
  expect(warnings[0]).toContain(variable);
  expect(settings.Tools.TimeoutMs).toBe(7);
});

test.each([
  'PATH',
  'Tools',
  'LOG',
  'Plugin__Enabled',
  'Logging__LogLevel__Default',
  '__x',
  'ASPNETCORE__Http',
  'Toolsy__x',
])('%s is not ours', async (variable) => {
  expect((await load({ [variable]: 'x' })).warnings).toEqual([]);
});

test.each([
  ['Tools__TimeoutMs', '', 'is empty, must be a whole number'],
  ['Tools__TimeoutMs', '0x10', 'is the text "0x10"'],
  ['Plugins__Enabled', 'yes', 'must be true or false'],
  ['Plugins__Directory', '', 'is empty, must be a path'],
  ['Http__AllowedHosts', '[""]', 'Http.AllowedHosts[0] is empty'],
  ['Auth__Keys', 'abcdefghijklmnop', 'must be a list'],
  ['Auth__Keys', '[', 'must be a list'],
  ['Auth__Keys', '['.repeat(50_000) + ']'.repeat(50_000), 'must be a list'],
  ['Plugins__McpServers__a', 'npx', 'must be an object'],
])('%s=%j is an error that names the variable', async (variable, value, message) => {
  const sandbox = new Sandbox();
  const problems = await sandbox.problems(() => sandbox.loadFile({ Tools: {} }, { env: { [variable]: value } }));
  expect(problems).toHaveLength(1);
  expect(problems[0]!.message).toContain(`Environment variable ${variable}: `);
  expect(problems[0]!.message).toContain(message);
});

test('a number of a variable that is out of range is shown as the number that it is', async () => {
  const sandbox = new Sandbox();
  const [problem] = await sandbox.problems(() => sandbox.loadFile({ Tools: {} }, { env: { Http__Port: '70000' } }));
  expect(problem).toMatchObject({
    message: 'Environment variable Http__Port: Http.Port is 70000, must be a whole number from 0 to 65535.',
    hint: 'Correct it, or remove it to have the default.',
  });
});

test.each<[Record<string, string>]>([
  [{ Plugins__Environment: '["A_NAME"]' }],
  [{ Plugins__Environment__0: 'A_NAME' }],
])('%j gives the names of a setting that is a choice or a list of names', async (env) => {
  expect((await load(env)).settings.Plugins.Environment).toEqual(['A_NAME']);
});
