// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Extra, Sandbox } from './sandbox.js';

const loadConfig = (Config: object, extra?: Extra) => new Sandbox().loadFile({ Plugins: { Config } }, extra);

test('references are fetched anywhere in our sections, files from the folder of the configuration', async () => {
  const sandbox = new Sandbox();
  sandbox.write('config/secrets/key', 'file-secret\n');
  sandbox.write('in-cwd', 'wrong folder');
  const { settings, secrets } = await sandbox.loadFile(
    {
      Logging: { x: '${env:NOPE}' },
      Http: { Port: '${env:PORT}' },
      Plugins: {
        Directory: '${env:BASE}/plugins',
        Enabled: '${env:ON}',
        Config: { a: '${file:secrets/key}', list: ['x-${env:ONE}-${env:TWO}'], plain: '$${env:ONE}' },
        McpServers: { far: { url: 'https://x/${env:ONE}', headers: { Authorization: 'Bearer ${env:TWO}' } } },
      },
    },
    { env: { PORT: '8080', BASE: '/srv/base', ON: 'true', ONE: 'first-one', TWO: 'second-two' } },
  );
  expect(settings).toMatchObject({
    Http: { Port: 8080 },
    Plugins: {
      Directory: [expect.stringMatching(/base.plugins$/)],
      Enabled: true,
      Config: { a: 'file-secret', list: ['x-first-one-second-two'], plain: '${env:ONE}' },
      McpServers: { far: { url: 'https://x/first-one', headers: { Authorization: 'Bearer second-two' } } },
    },
  });
  expect([...secrets].sort()).toEqual(['Bearer second-two', 'file-secret', 'first-one', 'second-two']);
});

test('references in flags fetch from the working directory, those in the environment as in the file', async () => {
  const sandbox = new Sandbox();
  sandbox.write('key', 'of-flags');
  sandbox.write('config/key', 'of-config');
  const overrides = { Plugins: { Config: { flag: '${file:key}' } } };
  const { settings } = await sandbox.loadFile('{}', { overrides, env: { Plugins__Config__env: '${file:key}' } });
  expect(settings.Plugins.Config).toEqual({ env: 'of-config', flag: 'of-flags' });
});

test.each([
  ['${env:NOPE}', '${env:NOPE} names an environment variable that is not set.'],
  ['${env:toString}', 'is not set'],
  ['${file:nope}', '${file:nope} cannot be read: there is no such file.'],
  ['${file:.}', 'cannot be read: it is a folder.'],
  ['${file:a\0b}', 'the path holds a NUL character'],
  ['${env:NOPE', 'is not closed'],
])('%j is an error that names the key, once', async (value, message) => {
  const [first, ...others] = await new Sandbox().fileProblems({ Plugins: { Config: { a: { key: value } } } });
  expect(first).toContain('5:16 Plugins.Config.a.key: ');
  expect(first).toContain(message);
  expect(others).toEqual([]);
});

test('a number that cannot be fetched is one problem, not two', async () => {
  const messages = await new Sandbox().fileProblems({ Http: { Port: '${env:NOPE}' } });
  expect(messages).toEqual([expect.stringContaining('Http.Port: ${env:NOPE} names')]);
});

test.each<[string, object, string[]]>([
  ['a value under a secret key', { api_key: 'abcdef', name: 'public-name' }, ['abcdef']],
  [
    'everything below a secret key',
    { credentials: { user: 'ada-ada', list: ['more-more'] } },
    ['ada-ada', 'more-more'],
  ],
  ['a secret key further down', { db: { primary: { Password: 'hunter22' } } }, ['hunter22']],
  ['a header with a scheme', { Authorization: 'Bearer abc.def' }, ['Bearer abc.def', 'abc.def']],
])('%s is a secret', async (_, Config, expected) => {
  expect((await loadConfig(Config)).secrets).toEqual(expected);
});

test.each<[string, object]>([
  ['a short value', { password: '12abc' }],
  ['a truth', { password: 'FALSE', token: true }],
  ['a number', { password: '1234567', secret: '-12345.678', token: 1_234_567 }],
  ['a value under another key', { tokens: 'abcdefgh', public_key_token: 'b77a5c561934e089', user: 'administrator' }],
])('%s is none', async (_, Config) => {
  expect((await loadConfig(Config)).secrets).toEqual([]);
});

test('secrets of the environment, of mounted servers and of access keys are found, each once', async () => {
  const sandbox = new Sandbox();
  const { secrets } = await sandbox.loadFile(
    {
      Plugins: {
        Config: { password: 'same-value' },
        McpServers: {
          'my-token': {
            command: 'a-program',
            args: ['an-argument'],
            env: { GITHUB_TOKEN: 'same-value', HOME: '/home/x' },
          },
          far: { url: 'https://x.example', headers: { 'X-Api-Key': 'header-key', Accept: 'text/plain' } },
        },
      },
      Auth: { Keys: [{ Name: 'alice', Key: 'thirty-two-letters-in-all-or-more' }] },
      Http: { StateKey: 'another-sixteen-letters' },
    },
    { env: { Plugins__Config__Db__Password: 'from-env' } },
  );
  expect([...secrets].sort()).toEqual([
    'another-sixteen-letters',
    'from-env',
    'header-key',
    'same-value',
    'thirty-two-letters-in-all-or-more',
  ]);
});

test('what is fetched into a path or a host name is not a secret', async () => {
  const file = {
    Plugins: { Directory: '${env:HOME}/p' },
    Http: { Host: '${env:NAME}' },
    Dotnet: { Path: '${env:HOME}' },
  };
  const env = { HOME: join('/', 'home', 'alice'), NAME: 'my-machine' };
  expect((await new Sandbox().loadFile(file, { env })).secrets).toEqual([]);
});

test.each<[string, object]>([
  ['a key that is too short', { Auth: { Keys: [{ Name: 'a', Key: 'hunter2' }] } }],
  ['a fetched value of the wrong type', { Http: { Port: '${env:SECRET}' } }],
  ['a fetched choice', { Log: { Level: '${env:SECRET}' } }],
  ['a URL with credentials', { Plugins: { McpServers: { a: { url: 'x://u:hunter2@h' } } } }],
  ['a state key that is too short', { Http: { StateKey: 'hunter2' } }],
])('the message about %s does not show it', async (_, file) => {
  const messages = await new Sandbox().fileProblems(file, { env: { SECRET: 'hunter2' } });
  expect(messages).toHaveLength(1);
  expect(messages.join()).not.toContain('hunter2');
});
