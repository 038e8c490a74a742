import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { entry } from '../mounted-servers/mounted.js';
import { shared } from '../support/clients.js';
import { buildCsharpPlugins, installCsharp } from '../support/csharp.js';
import type { Workplace } from '../support/workplace.js';
import { ask, KEYS, type Reply } from './three-keys.js';
import { startTokenServer } from './token-server.js';

beforeAll(buildCsharpPlugins, 600_000);

const withKit = (workplace: Workplace) => void installCsharp(workplace, 'Kit', 'Kit');
const textOf = ({ body }: Reply): string => body.result?.content[0].text ?? JSON.stringify(body);
const FORGED = { 'mortise/caller': { principal: 'forged', issuer: 'forged', subject: 'forged' } };

describeWithSdk('the caller of a C# plugin', () => {
  const opened = shared((finished) =>
    startTokenServer(
      finished,
      { Auth: { Keys: [{ Name: 'ci', Key: KEYS.open }] }, McpServers: { old: entry('transparent') } },
      withKit,
    ),
  );
  const call = async (credential: string, name: string, args: object = {}, more: object = {}) =>
    textOf(await ask(opened().url, credential, 'tools/call', { name, arguments: args, ...more }));
  const tokens = async () => {
    const { corp, guests } = opened();
    const scope = 'mortise:write';
    return Promise.all([corp.sign({ scope }), corp.sign({ scope, sub: 'bob' }), guests.sign({ scope })]);
  };

  it('is its own in each of several calls at the same time', async () => {
    const credentials = [...(await tokens()), KEYS.open];
    const args = { meeting: randomUUID(), together: credentials.length };
    const calls = credentials.map((credential) => call(credential, 'kit_caller', args));
    const twice = (words: string) => `${words}; ${words}`;
    expect(await Promise.all(calls)).toEqual([
      twice('corp/ann, issuer corp, subject ann'),
      twice('corp/bob, issuer corp, subject bob'),
      twice('guests/ann, issuer guests, subject ann'),
      twice('ci, issuer none, subject none'),
    ]);
  });

  it('is nobody in a task that an earlier call has left behind', async () => {
    const [ann, bob] = await tokens();
    await call(ann, 'kit_left_behind');
    expect(await call(bob, 'kit_left_behind')).toBe('nobody');
  });

  it('cannot be chosen by the client', async () => {
    const words = await call(KEYS.open, 'kit_caller', { meeting: '', together: 1 }, { _meta: FORGED });
    expect(words).toContain('ci, issuer none, subject none');
  });

  it('is not sent to mounted servers', async () => {
    const [ann] = await tokens();
    expect(JSON.parse(await call(ann, 'mcp_old_meta'))).toEqual({});
  });
});

describeWithSdk('without keys and issuers', () => {
  it('a C# plugin has no caller, whatever the client sends', async () => {
    const { url } = await startTokenServer(onTestFinished, { Auth: { Keys: [], Issuers: [] } }, withKit);
    const params = { name: 'kit_caller', arguments: { meeting: '', together: 1 }, _meta: FORGED };
    expect(textOf(await ask(url, 'none', 'tools/call', params))).toBe('nobody; nobody');
  });
});
