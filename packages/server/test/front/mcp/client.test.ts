import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { progressOf } from '../../../../../test/support/observe.js';
import { CheckedStdioTransport, expectValidWire } from '../../../../../test/support/wire-check.js';
import { withHttp } from './http-wire.js';

const FIXTURE = fileURLToPath(new URL('./fixtures/stdio-host.mjs', import.meta.url));
const VERSIONS = ['2025-11-25', '2026-07-28'] as const;

/** The official client, which answers every question with "Ada". */
function createClient(version: (typeof VERSIONS)[number]): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: version === '2025-11-25' ? 'legacy' : { pin: version } },
    },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
  return client;
}

async function useEverything(client: Client, version: string) {
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  expect(client.getServerVersion()).toMatchObject({ name: 'mortise', version: '1.2.3' });
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
  expect((await client.callTool({ name: 'echo', arguments: { a: 1 } })).content).toEqual([
    { type: 'text', text: '{"a":1}' },
  ]);
  await expect(client.callTool({ name: 'ecko' })).rejects.toMatchObject({ code: -32602 });
  const answer = await client.callTool({ name: 'ask_twice' });
  expect(JSON.stringify(answer.content)).toContain('Ada');
  const seen = progressOf(client);
  await client.callTool({ name: 'steps' }, { onprogress() {} });
  expect(seen).toMatchObject([{ progress: 30 }, { progress: 60 }, { progress: 90 }]);
  const abort = new AbortController();
  const onprogress = () => abort.abort('enough');
  await expect(client.callTool({ name: 'slow' }, { signal: abort.signal, onprogress })).rejects.toThrow();
  expect((await client.readResource({ uri: 'test://item/4' })).contents).toMatchObject([{ text: '4' }]);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  expect((await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).messages).toHaveLength(1);
  const ref = { type: 'ref/prompt' as const, name: 'greet' };
  expect((await client.complete({ ref, argument: { name: 'name', value: 'A' } })).completion.values).toEqual([
    'greet:name:A',
  ]);
}

describe.each(VERSIONS)('the official client with %s', (version) => {
  test('over stdio, with a process of its own', async () => {
    const client = createClient(version);
    const transport = new CheckedStdioTransport({ command: process.execPath, args: [FIXTURE] });
    await client.connect(transport);
    await useEverything(client, version);
    await client.close();
  });

  test('over HTTP, with a key', () =>
    withHttp({ Auth: { Keys: [{ Name: 'test', Key: 'a-key', Scopes: [] }] } }, async (wire) => {
      const transport = (key: string) =>
        new StreamableHTTPClientTransport(new URL(wire.served.url), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        });
      await expect(createClient(version).connect(transport('no-key'))).rejects.toThrow();
      const client = createClient(version);
      await client.connect(transport('a-key'));
      await useEverything(client, version);
      await client.close();
    }));
});

test('the process ends by itself when its stdin does, and writes nothing but messages', async () => {
  const child = spawn(process.execPath, [FIXTURE], { stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\nnonsense\n';
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expectValidWire(input, out);
  const messages = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map((message) => message.error?.code ?? 'result').sort()).toEqual([-32700, 'result']);
});
