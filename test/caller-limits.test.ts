import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { createClient, startHttp } from './support/clients.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

const PLUGIN = `
const any = { type: 'object' };
let release;
export function register(api) {
  api.registerTool({ name: 'echo', description: 'd', inputSchema: any, run: () => 'done' });
  api.registerTool({ name: 'long', description: 'd', inputSchema: any, run: () => 'x'.repeat(8000) });
  api.registerTool({ name: 'wait', description: 'd', inputSchema: any, run: () => new Promise((resolve) => { release = resolve; }) });
  api.registerTool({ name: 'release', description: 'd', inputSchema: any, run: () => { release?.('released'); release = undefined; return 'done'; } });
  api.registerTool({ name: 'held', description: 'd', inputSchema: any, run: () => String(release !== undefined) });
  api.registerTool({ name: 'crash', description: 'd', inputSchema: any, run: () => process.exit(3) });
  api.registerResource({ uri: 'notes://a', name: 'a', read: () => 'a note' });
}`;

const KEYS = { one: 'a-key-of-at-least-32-characters-0001', two: 'a-key-of-at-least-32-characters-0002' };

function workplaceWith(Limits: object, limitsOfTwo?: object): Workplace {
  const two = { Name: 'two', Key: KEYS.two, ...(limitsOfTwo && { Limits: limitsOfTwo }) };
  return createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    {
      Plugins: { Directory: 'plugins' },
      Limits,
      Auth: { Keys: [{ Name: 'one', Key: KEYS.one }, two] },
      Audit: { File: 'audit.jsonl' },
    },
  );
}

async function clientsOf(workplace: Workplace): Promise<Record<keyof typeof KEYS, Client> & { url: string }> {
  const { url } = await startHttp(workplace);
  const open = async (key: string) => {
    const client = createClient('2025-11-25');
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    return client;
  };
  return { url, one: await open(KEYS.one), two: await open(KEYS.two) };
}

const call = (client: Client, name: string) => client.callTool({ name, arguments: {} });
type Result = Awaited<ReturnType<typeof call>>;
const textOf = ({ content }: Result) => (content as { text: string }[])[0]!.text;
const codeOf = ({ structuredContent }: Result) =>
  (structuredContent as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code ?? 'ok';

it('has a line for a key that is not valid', async () => {
  const workplace = workplaceWith({});
  const { url } = await startHttp(workplace);
  const headers = { authorization: 'Bearer not-a-key-that-anyone-was-ever-given', 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  const text = readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ event: 'login-failed', address: '127.0.0.1', outcome: 'KEY_INVALID' });
  expect(text).not.toContain('not-a-key');
});

describe('the limits of a principal', () => {
  it('let a burst through, then the rate, and nothing of it concerns another principal', async () => {
    const { one, two } = await clientsOf(workplaceWith({ CallsPerSecond: 2, Burst: 8 }, { CallsPerSecond: 1000 }));
    const results = await Promise.all(Array.from({ length: 40 }, () => call(one, 'echo')));
    const refused = results.filter((result) => codeOf(result) === 'RATE_LIMITED');
    expect(results.length - refused.length).toBeGreaterThanOrEqual(8);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.structuredContent).toMatchObject({
      errors: [
        {
          code: 'RATE_LIMITED',
          category: 'Concurrency',
          mcpErrorCode: -32603,
          data: { additionalData: { limit: 'Limits.CallsPerSecond', retryAfterMs: expect.stringMatching(/^\d+$/) } },
        },
      ],
    });
    const others = await Promise.all(Array.from({ length: 40 }, () => call(two, 'echo')));
    expect(others.map(codeOf)).toEqual(Array(40).fill('ok'));
    await expect.poll(async () => codeOf(await call(one, 'echo'))).toBe('ok');
  });

  it('refuse a read with when to try again, as a number', async () => {
    const { one } = await clientsOf(workplaceWith({ CallsPerSecond: 1 }));
    const reads = Array.from({ length: 10 }, () => one.readResource({ uri: 'notes://a' }).catch((error) => error));
    const refused = (await Promise.all(reads)).filter((result) => result instanceof Error);
    expect(refused[0]).toMatchObject({
      code: -32603,
      data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
    });
  });

  it('let some calls run and some wait, and lose no slot to cancels and crashes', async () => {
    const workplace = workplaceWith({ ConcurrentCalls: 2, QueuedCalls: 1 });
    const { one, two } = await clientsOf(workplace);
    const source = new AbortController();
    const cancelled = one.callTool({ name: 'wait', arguments: {} }, { signal: source.signal }).catch(() => 'cancelled');
    const held = call(one, 'wait');
    const queued = call(one, 'echo');
    await expect.poll(async () => codeOf(await call(one, 'echo'))).toBe('RATE_LIMITED');
    expect(codeOf(await call(two, 'echo'))).toBe('ok');
    source.abort();
    expect(await cancelled).toBe('cancelled');
    expect(codeOf(await queued)).toBe('ok');
    await call(two, 'crash');
    expect(codeOf(await held)).toBe('PLUGIN_CRASHED');
    const again = await Promise.all([call(one, 'echo'), call(one, 'echo'), call(one, 'echo')]);
    expect(again.map(codeOf)).toEqual(['ok', 'ok', 'ok']);
    const refusals = readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('RATE_LIMITED'));
    expect(JSON.parse(refusals[0]!)).toMatchObject({ event: 'refused', principal: 'one', outcome: 'RATE_LIMITED' });
  });

  it('are those of its profile, and its own before them; a URL changes none', async () => {
    const key = (letter: string) => letter.repeat(32);
    const { url } = await startHttp(
      createWorkplace(
        { 'plugins/p.mjs': PLUGIN },
        {
          Plugins: { Directory: 'plugins' },
          Profiles: { slow: { Limits: { ConcurrentCalls: 1 } } },
          Auth: {
            Keys: [
              { Name: 'slow', Key: key('s'), Profile: 'slow' },
              { Name: 'own', Key: key('o'), Profile: 'slow', Limits: { ConcurrentCalls: 2 } },
              { Name: 'free', Key: key('f') },
            ],
          },
        },
      ),
    );
    const open = async (letter: string, path = '') => {
      const client = createClient('2025-11-25');
      const requestInit = { headers: { authorization: `Bearer ${key(letter)}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
      onTestFinished(() => client.close());
      return client;
    };
    const clients = [await open('s'), await open('o'), await open('f', '/p/slow')];
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
    const { one, two } = await clientsOf(workplaceWith({ ConcurrentCalls: 1, QueuedCalls: 5, QueueMs: 200 }));
    const held = call(one, 'wait');
    const refused = await call(one, 'echo');
    expect(codeOf(refused)).toBe('RATE_LIMITED');
    expect(JSON.stringify(refused.structuredContent)).toContain('Limits.QueueMs');
    await call(two, 'release');
    expect(codeOf(await held)).toBe('ok');
    expect(codeOf(await call(one, 'echo'))).toBe('ok');
  });

  it('shorten a result', async () => {
    const { one, two } = await clientsOf(workplaceWith({ ResultBytes: 2048 }, { ResultBytes: 1_000_000 }));
    const sizeOf = async (client: Client) => JSON.stringify((await call(client, 'long')).content).length;
    expect(await sizeOf(one)).toBeLessThan(2_500);
    expect(await sizeOf(two)).toBeGreaterThan(8_000);
  });

  it('refuse a session with 429 where the principal has as many as it may, all of them busy', async () => {
    const { one, two, url } = await clientsOf(workplaceWith({ Sessions: 1 }, { Sessions: 5 }));
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
    await expect.poll(async () => (await initialize(KEYS.one)).status).toBe(429);
    const refused = await initialize(KEYS.one);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await initialize(KEYS.two)).status).toBe(200);
    await call(two, 'release');
    expect(codeOf(await held)).toBe('ok');
  });

  it('refuse a stream with 429 where the principal has as many as it may', async () => {
    const { url } = await startHttp(workplaceWith({ Streams: 1 }, { Streams: 2 }));
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
    const first = await listen(KEYS.one, statuses);
    const refused = await listen(KEYS.one, statuses);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const key of [KEYS.two, KEYS.two, KEYS.two]) await listen(key, statuses);
    expect(statuses).toEqual([200, 429, 200, 200, 429]);
    await first.body!.cancel();
    await expect.poll(async () => (await listen(KEYS.one, [])).status).toBe(200);
  });

  it('cannot be 0: an error at start that names the setting', async () => {
    const workplace = workplaceWith({ CallsPerSecond: 0 }, { ConcurrentCalls: 0 });
    const { stdout } = await runMortise(workplace, ['validate', '--json', '--config', workplace.config]);
    const messages = (JSON.parse(stdout).problems as { message: string }[]).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('Auth.Keys[1].Limits.ConcurrentCalls is a number, must be a whole number from 1'),
      expect.stringContaining('Limits.CallsPerSecond is 0, must be a whole number from 1'),
    ]);
  });
});
