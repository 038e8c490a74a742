// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { Sandbox } from './sandbox.js';

const published = JSON.parse(readFileSync(new URL('../../settings.schema.json', import.meta.url), 'utf8'));
const accepts = new Ajv({ strict: false }).compile(published);

test('the published schema and the docs are what the table says', () => {
  const script = fileURLToPath(new URL('../../../../scripts/settings-docs.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.each<[string, object]>([
  ['sections of others', { Logging: { a: 1 }, AllowedHosts: '*', $schema: 'x' }],
  ['one plugins folder', { Plugins: { Directory: 'p' } }],
  ['several plugins folders', { Plugins: { Directory: ['p', 'q'] } }],
  [
    'references for any type',
    { Http: { Port: '${env:PORT}' }, Plugins: { Enabled: '${file:on}' }, Log: { Level: '${env:L}' } },
  ],
  ['mounted servers', { Plugins: { McpServers: { a: { command: 'x', args: [] }, b: { url: 'https://x' } } } }],
  ['an empty state key', { Http: { StateKey: '' } }],
])('it accepts %s', (_, file) => {
  expect(accepts(file), JSON.stringify(accepts.errors)).toBe(true);
});

test.each<[string, object]>([
  ['an unknown key', { Tools: { Timeout: 1 } }],
  ['a wrong type', { Tools: { TimeoutMs: '5000' } }],
  ['a value out of range', { Http: { Port: 70_000 } }],
  ['a wrong choice', { Plugins: { Isolation: 'thread' } }],
  ['an empty path', { Plugins: { Directory: '' } }],
  ['a short key', { Auth: { Keys: [{ Name: 'a', Key: 'short' }] } }],
  ['a missing key', { Auth: { Keys: [{ Name: 'a' }] } }],
  ['a server that is neither', { Plugins: { McpServers: { a: {} } } }],
  ['a server that is both', { Plugins: { McpServers: { a: { command: 'x', url: 'https://x' } } } }],
  ['arguments of a URL', { Plugins: { McpServers: { a: { url: 'https://x', args: [] } } } }],
])('it refuses %s, as the loader does', async (_, file) => {
  expect(accepts(file)).toBe(false);
  expect(await new Sandbox().fileProblems(file)).not.toEqual([]);
});
