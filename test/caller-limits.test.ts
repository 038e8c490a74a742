import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Sandbox } from '../packages/server/test/settings/sandbox.js';
import { call, codeOf, keyOf, startLimited, textOf } from './limited-keys.js';
import { shared } from './support/clients.js';

describe('the limits of a principal', () => {
  const opened = shared((finished) => {
    const keys = {
      reads: { Limits: { CallsPerSecond: 1 } },
      narrow: { Profile: 'narrow' },
      own: { Profile: 'narrow', Limits: { ConcurrentCalls: 2 } },
      waits: { Limits: { ConcurrentCalls: 1, QueuedCalls: 5, QueueMs: 200 } },
      brief: { Limits: { ResultBytes: 2048 } },
      sessions: { Limits: { Sessions: 1 } },
      streams: { Limits: { Streams: 1 } },
      streams2: { Limits: { Streams: 2 } },
      free: {},
    };
    const Profiles = { narrow: { Limits: { ConcurrentCalls: 1 } } };
    return startLimited({}, keys, finished, { Profiles });
  });

  it('refuse a read with when to try again, as a number', async () => {
    const one = await opened().open('reads');
    const reads = Array.from({ length: 10 }, () => one.readResource({ uri: 'notes://a' }).catch((error) => error));
    const refused = (await Promise.all(reads)).filter((result) => result instanceof Error);
    expect(refused[0]).toMatchObject({
      code: -32603,
      data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
    });
  });

  it('are those of its profile, and its own before them; a URL changes none', async () => {
    const { open } = opened();
    const clients = [await open('narrow'), await open('own'), await open('free', '/p/narrow')];
    const codes: string[] = [];
    for (const client of clients) {
      const held = call(client, 'wait');
      await expect.poll(() => call(clients[2]!, 'held').then(textOf)).toBe('true');
      codes.push(codeOf(await call(client, 'echo')));
      await call(clients[2]!, 'release');
      await held;
    }
    expect(codes).toEqual(['RATE_LIMITED', 'ok', 'ok']);
  });

  it('end a wait that is too long', async () => {
    const [one, two] = [await opened().open('waits'), await opened().open('free')];
    const held = call(one, 'wait');
    const refused = await call(one, 'echo');
    expect(codeOf(refused)).toBe('RATE_LIMITED');
    expect(JSON.stringify(refused.structuredContent)).toContain('Limits.QueueMs');
    await call(two, 'release');
    expect(codeOf(await held)).toBe('ok');
    expect(codeOf(await call(one, 'echo'))).toBe('ok');
  });

  it('shorten a result', async () => {
    const [one, two] = [await opened().open('brief'), await opened().open('free')];
    const sizeOf = async (client: Client) => JSON.stringify((await call(client, 'long')).content).length;
    expect(await sizeOf(one)).toBeLessThan(2_500);
    expect(await sizeOf(two)).toBeGreaterThan(8_000);
  });

  it('refuse a session with 429 where the principal has as many as it may, all of them busy', async () => {
    const { url, open } = opened();
    const [one, two] = [await open('sessions'), await open('free')];
    const initialize = (key: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      });
    const held = call(one, 'wait');
    await expect.poll(async () => (await initialize(keyOf('sessions'))).status).toBe(429);
    const refused = await initialize(keyOf('sessions'));
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await initialize(keyOf('free'))).status).toBe(200);
    await call(two, 'release');
    expect(codeOf(await held)).toBe('ok');
  });

  it('refuse a stream with 429 where the principal has as many as it may', async () => {
    const { url } = opened();
    const listen = async (key: string, statuses: number[]) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
          params: { notifications: { toolsListChanged: true }, _meta },
        }),
      });
      onTestFinished(async () => response.body?.cancel());
      statuses.push(response.status);
      return response;
    };
    const statuses: number[] = [];
    const first = await listen(keyOf('streams'), statuses);
    const refused = await listen(keyOf('streams'), statuses);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const key of Array(3).fill(keyOf('streams2'))) await listen(key, statuses);
    expect(statuses).toEqual([200, 429, 200, 200, 429]);
    await first.body!.cancel();
    await expect.poll(async () => (await listen(keyOf('streams'), [])).status).toBe(200);
  });

  it('cannot be 0: an error at start that names the setting', async () => {
    const Auth = { Keys: [{ Name: 'one', Key: keyOf('one'), Limits: { ConcurrentCalls: 0 } }] };
    expect(await new Sandbox().fileProblems({ Limits: { CallsPerSecond: 0 }, Auth })).toEqual([
      expect.stringContaining('Auth.Keys[0].Limits.ConcurrentCalls is a number, must be a whole number from 1'),
      expect.stringContaining('Limits.CallsPerSecond is 0, must be a whole number from 1'),
    ]);
  });
});
