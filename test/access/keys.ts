import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { connect, createClient, type Version } from '../support/clients.js';
import { createWorkplace, type Finished } from '../support/workplace.js';
import { KEYS } from './three-keys.js';

const PLUGIN = `
export const register = (api) => {
  for (const name of ['look', 'change'])
    api.registerTool({ name, title: 'T', description: 'd', inputSchema: { type: 'object' },
      annotations: { readOnlyHint: name === 'look' }, run: () => name });
};`;
export const settings = (keys: object[], more: object = {}) => ({
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: false },
  Auth: { Keys: keys },
  ...more,
});
export const open = (keys: object[], more: object = {}, finished?: Finished) =>
  createWorkplace({ 'plugins/p.mjs': PLUGIN }, settings(keys, more), finished);

/** Three keys with three profiles on one server: clients of this version have a list each. */
export async function expectListEach(url: string, version: Version): Promise<void> {
  const lists = await Promise.all(
    [KEYS.open, KEYS.zebra, KEYS.reader].map(async (key) => {
      const client = createClient(version);
      const headers = { authorization: `Bearer ${key}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      const { tools } = await client.listTools();
      const { resources } = await client.listResources();
      const { prompts } = await client.listPrompts();
      const both = tools.find(({ name }) => name.endsWith('both'));
      await client.close();
      return {
        tools: tools.map(({ name }) => name),
        resources: resources.map(({ uri }) => uri).filter((uri) => !uri.startsWith('mortise:')),
        prompts: prompts.map(({ name }) => name),
        actions: (both?.inputSchema.properties?.action as { enum?: string[] } | undefined)?.enum,
      };
    }),
  );
  expect(lists).toEqual([
    {
      tools: ['builtin_plugins', 'open_both', 'open_look', 'open_say', 'open_update'],
      resources: [],
      prompts: ['open-ask'],
      actions: ['Read'],
    },
    {
      tools: ['zebra_both', 'zebra_change', 'zebra_look', 'zebra_say', 'zebra_update'],
      resources: ['zebra://one'],
      prompts: ['zebra-ask'],
      actions: ['Read', 'Write'],
    },
    {
      tools: ['builtin_plugins', 'open_both', 'open_look'],
      resources: ['open://one'],
      prompts: ['open-ask'],
      actions: ['Read'],
    },
  ]);
}

/** A client over stdio of a server with these flags has these tools alone. */
export async function expectTools(flags: string[], expected: string[]): Promise<void> {
  const more = { Profiles: { narrow: { Include: ['look'] } }, Tools: { TrustAnnotations: ['p'] } };
  const client = await connect(
    open([], more),
    { transport: 'stdio', version: '2025-11-25' },
    undefined,
    undefined,
    flags,
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(expected);
  await expect(client.callTool({ name: 'change' })).rejects.toMatchObject({ code: -32602 });
}

/** Keys that are an error, and what is said of them. */
export const WRONG_KEYS: [what: string, keys: object[], message: string][] = [
  ['short', [{ Name: 'a', Key: 'k'.repeat(31) }], 'Auth.Keys[0].Key is text of 31 characters'],
  [
    'duplicate',
    [
      { Name: 'a', Key: KEYS.open },
      { Name: 'b', Key: KEYS.open },
    ],
    "Auth.Keys[1].Key is the key of 'a' too",
  ],
  [
    'named as another',
    [
      { Name: 'a', Key: KEYS.open },
      { Name: 'A', Key: KEYS.zebra },
    ],
    "Auth.Keys[1].Name 'A' is the name",
  ],
  ['named as callers with a token', [{ Name: 'corp/ann', Key: KEYS.open }], "Auth.Keys[0].Name 'corp/ann' has a '/'"],
  ['named as callers without a key', [{ Name: 'local', Key: KEYS.open }], 'Auth.Keys[0].Name is'],
  ['of an unknown profile', [{ Name: 'a', Key: KEYS.open, Profile: 'readonly' }], 'Did you mean readOnly?'],
  ['of an unknown scope', [{ Name: 'a', Key: KEYS.open, Scopes: ['mortise:admin'] }], 'Auth.Keys[0].Scopes[0]'],
  ['without a scope', [{ Name: 'a', Key: KEYS.open, Scopes: [] }], 'Auth.Keys[0].Scopes is empty'],
  ['expired', [{ Name: 'a', Key: KEYS.open, Expires: '2020-01-01' }], 'the key has expired'],
  ['of a wrong date', [{ Name: 'a', Key: KEYS.open, Expires: '2030-02-30' }], 'not a date or time'],
  [
    'of a wrong hash',
    [{ Name: 'a', Sha256: 'x'.repeat(64) }],
    'Auth.Keys[0].Sha256 is text of 64 characters, must be a SHA-256: 64 hexadecimal digits.',
  ],
];
