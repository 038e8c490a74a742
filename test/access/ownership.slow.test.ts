import { expect, it } from 'vitest';
import { startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { ask } from './three-keys.js';

const PLUGIN = `export const register = (api) =>
  api.registerTool({ name: 'long', title: 'T', description: 'd', inputSchema: { type: 'object' },
    run: () => 'a long text\\n'.repeat(10_000) });`;
const KEYS = { a: 'a'.repeat(32), b: 'b'.repeat(32) };

it('a stored output exists for the key whose call it is of, and for no other', async () => {
  const settings = {
    ...{ Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false }, Output: { MaxTextChars: 5_000 } },
    Auth: { Keys: Object.entries(KEYS).map(([Name, Key]) => ({ Name, Key })) },
  };
  const { url } = await startHttp(createWorkplace({ 'plugins/p.mjs': PLUGIN }, settings));
  const called = await ask(url, KEYS.a, 'tools/call', { name: 'long', arguments: {} });
  const [uri] = called.text.match(/mortise:\/\/outputs\/[\w-]+/)!;
  const read = (key: string, address: string) => ask(url, key, 'resources/read', { uri: address });
  expect((await read(KEYS.a, uri)).body.result.contents[0].text).toContain('a long text');
  const foreign = await read(KEYS.b, uri);
  const unknown = await read(KEYS.b, 'mortise://outputs/nothing');
  expect(foreign.body.error.code).toBe(unknown.body.error.code);
  const comparable = (text: string) => text.replaceAll(/mortise:\/\/outputs\/[\w-]+|"callId":"[^"]*"/g, '');
  expect(comparable(foreign.text)).toBe(comparable(unknown.text));
});
