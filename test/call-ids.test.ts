import { describe, expect, it } from 'vitest';
import { ask, KEYS, type Reply } from './access/three-keys.js';
import { caller, callOf, idOf, LIMITED, openServer } from './identified-calls.js';
import { shared } from './support/clients.js';

const server = shared(openServer);
const call = caller(server);

it('a call that succeeds has an id in the audit alone', async () => {
  const { url, auditLines, logLines } = server();
  const reply = await ask(url, KEYS.open, 'tools/call', { name: 'works', arguments: {} });
  const { callId, outcome } = auditLines().at(-1) as { callId: string; outcome: string };
  expect(outcome).toBe('ok');
  expect(callId).toBeDefined();
  expect(reply.text).not.toContain(callId);
  expect(logLines().some((line) => line.includes(callId))).toBe(false);
});

describe('a call that fails', () => {
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
    // The last one: its process is slow to start again.
    ['a crash', 'PLUGIN_CRASHED', () => call('crashes')],
  ])('is found by one id in its error, the log and the audit: %s', async (_, outcome, run) => {
    const { auditLines, logLines } = server();
    const callId = idOf(await run());
    expect(callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(auditLines().filter((line) => line.callId === callId)).toMatchObject([{ outcome }]);
    await expect.poll(() => logLines().some((line) => line.includes(callId!) && line.includes(outcome))).toBe(true);
  });
});
