import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { ask, KEYS, type Reply } from './access/three-keys.js';
import { shared, startHttp } from './support/clients.js';
import { createWorkplace, type Finished } from './support/workplace.js';

const PLUGIN = `
const any = { type: 'object' };
export function register(api) {
  const tool = (name, run, more = {}) => api.registerTool({ name, description: 'd', inputSchema: any, run, ...more });
  tool('works', () => 'done');
  tool('fails', () => ({ isError: true, content: [{ type: 'text', text: 'no' }] }));
  tool('throws', () => { throw new Error('broken'); });
  tool('crashes', () => process.exit(3));
  tool('hangs', () => new Promise(() => {}), { timeoutMs: 300 });
  tool('waits', () => new Promise(() => {}));
  tool('wants', () => 'done', { inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } });
  api.registerResource({ uri: 'notes://bad', name: 'bad', read: () => { throw new Error('broken'); } });
  api.registerPrompt({ name: 'bad', description: 'd', arguments: [{ name: 'a', required: true, complete: () => ['x'] }], get: () => { throw new Error('broken'); } });
}`;

const LIMITED = 'l'.repeat(32);

async function openServer(finished: Finished) {
  const workplace = createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    {
      Plugins: { Directory: 'plugins' },
      Dotnet: { Enabled: false },
      Audit: { File: 'audit.jsonl' },
      Auth: {
        Keys: [
          { Name: 'open', Key: KEYS.open },
          { Name: 'reader', Key: KEYS.reader, Scopes: ['mortise:read'] },
          { Name: 'writer', Key: KEYS.zebra, Scopes: ['mortise:write'] },
          { Name: 'limited', Key: LIMITED, Limits: { ConcurrentCalls: 1 } },
        ],
      },
    },
    finished,
  );
  const { url, stderr } = await startHttp(workplace, [], finished);
  const auditLines = (): Record<string, unknown>[] =>
    readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const logLines = () =>
    stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'));
  return { workplace, url, auditLines, logLines };
}

const idOf = ({ body }: Reply): string | undefined =>
  body.result?.structuredContent?.metadata?.callId ?? body.error?.data?.callId;

describe('a call that fails', () => {
  const server = shared(openServer);
  const call = (name: string, args: object = {}, key: string = KEYS.open) =>
    ask(server().url, key, 'tools/call', { name, arguments: args });
  const get = (method: string, params: Record<string, unknown>, key: string = KEYS.open) =>
    ask(server().url, key, method, params);

  const refusedByLimit = async () => {
    const stop = new AbortController();
    const held = fetch(server().url, { ...callOf('waits', LIMITED), signal: stop.signal }).catch(() => {});
    let reply = await call('works', {}, LIMITED);
    while (reply.body.result.isError !== true) reply = await call('works', {}, LIMITED);
    stop.abort();
    await held;
    return reply;
  };

  it.each<[string, string, () => Promise<Reply>]>([
    ['an error of the tool', 'TOOL_ERROR', () => call('fails')],
    ['an exception', 'TOOL_EXCEPTION', () => call('throws')],
    ['wrong arguments', 'INVALID_PARAMS', () => call('wants')],
    ['a crash', 'PLUGIN_CRASHED', () => call('crashes')],
    ['a timeout', 'OPERATION_TIMEOUT', () => call('hangs')],
    ['a tool that does not exist', 'UNKNOWN_TOOL', () => call('none')],
    ['a scope that is missing', 'SCOPE_MISSING', () => call('works', {}, KEYS.reader)],
    ['a limit', 'RATE_LIMITED', refusedByLimit],
    ['a resource that does not exist', 'JSON_RPC_-32002', () => get('resources/read', { uri: 'notes://none' })],
    ['a resource that throws', 'TOOL_EXCEPTION', () => get('resources/read', { uri: 'notes://bad' })],
    [
      'a read without the scope',
      'SCOPE_MISSING',
      () => get('resources/read', { uri: 'mortise://plugins' }, KEYS.zebra),
    ],
    [
      'a completion without the scope',
      'SCOPE_MISSING',
      () =>
        get(
          'completion/complete',
          { ref: { type: 'ref/prompt', name: 'bad' }, argument: { name: 'a', value: '' } },
          KEYS.zebra,
        ),
    ],
    ['a prompt that does not exist', 'JSON_RPC_-32602', () => get('prompts/get', { name: 'none' })],
    ['a prompt without its arguments', 'JSON_RPC_-32602', () => get('prompts/get', { name: 'bad' })],
    ['a prompt that throws', 'TOOL_EXCEPTION', () => get('prompts/get', { name: 'bad', arguments: { a: 'x' } })],
    [
      'answers to what was not asked',
      'REQUEST_STATE_INVALID',
      () => get('tools/call', { name: 'works', arguments: {}, requestState: 'forged' }),
    ],
  ])('is found by one id in its error, the log and the audit: %s', async (_, outcome, run) => {
    const { auditLines, logLines } = server();
    const callId = idOf(await run());
    expect(callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(auditLines().filter((line) => line.callId === callId)).toMatchObject([{ outcome }]);
    await expect.poll(() => logLines().some((line) => line.includes(callId!) && line.includes(outcome))).toBe(true);
  });

  it('is found by its id when its client cancels it, which gets no response', async () => {
    const { url, auditLines, logLines } = server();
    const stop = new AbortController();
    const request = fetch(url, { ...callOf('waits', KEYS.open), signal: stop.signal }).catch(() => 'cancelled');
    await call('works');
    stop.abort();
    expect(await request).toBe('cancelled');
    const cancelled = () => auditLines().find(({ target, principal }) => target === 'waits' && principal === 'open');
    await expect.poll(() => cancelled()?.callId).toBeDefined();
    const { callId } = cancelled()!;
    await expect.poll(() => logLines().some((line) => line.includes(String(callId)))).toBe(true);
  });

  it('is found by `mortise audit --call`', async () => {
    const { workplace } = server();
    const callId = idOf(await call('throws'))!;
    const { stdout } = await runMortise(workplace, ['audit', '--call', callId, '--json', '--config', workplace.config]);
    expect(JSON.parse(stdout)).toMatchObject({ entries: 1, lines: [{ callId, outcome: 'TOOL_EXCEPTION' }] });
  });
});

it('a call that succeeds has an id in the audit alone', async () => {
  const { url, auditLines, logLines } = await openServer(onTestFinished);
  const reply = await ask(url, KEYS.open, 'tools/call', { name: 'works', arguments: {} });
  const [{ callId }] = auditLines() as [{ callId: string }];
  expect(callId).toBeDefined();
  expect(reply.text).not.toContain(callId);
  expect(logLines().some((line) => line.includes(callId))).toBe(false);
});

/** What `fetch` needs to call a tool with a client of 2026-07-28. */
function callOf(name: string, key: string): RequestInit {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } }),
  };
}
