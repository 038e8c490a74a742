import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HttpOptions } from '@mortise/mcp/http';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, withHttp } from './http-wire.js';

interface Connected {
  readonly wire: HttpWire;
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** What the client has sent: method and headers. */
  readonly requests: { method: string; headers: Headers }[];
}

type ClientOptions = ConstructorParameters<typeof Client>[1];

/** Runs with the official client, connected to a server. */
function withClient(http: HttpOptions, options: ClientOptions, run: (connected: Connected) => Promise<void>) {
  return withHttp(http, async (wire) => {
    const requests: Connected['requests'] = [];
    const transport = new StreamableHTTPClientTransport(new URL(wire.served.url), {
      reconnectionOptions: {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 10,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 3,
      },
      fetch: (url, init) => {
        requests.push({ method: init?.method ?? 'GET', headers: new Headers(init?.headers) });
        return fetch(url, init);
      },
    });
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(transport);
    try {
      await run({ wire, client, transport, requests });
    } finally {
      await client.close();
    }
  });
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;
const VERSIONS: [string, ClientOptions][] = [
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['2025-11-25', { versionNegotiation: { mode: 'legacy' } }],
];

describe.each(VERSIONS)('the official client with %s', (version, options) => {
  test('lists and calls tools, with progress', () =>
    withClient({}, options, async ({ client }) => {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
      for (const name of ['echo', 'later']) {
        expect(textOf(await client.callTool({ name, arguments: {} }))).toBe(name);
      }
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
      expect(textOf(await client.callTool({ name: 'progress' }, { onprogress }))).toBe('done');
      await waitFor(() => seen.length === 1);
      await expect(client.callTool({ name: 'fail', arguments: { code: 7 } })).rejects.toMatchObject({ code: 7 });
    }));

  test('cancels a call, and does not ask for its rest', () =>
    withClient({ retryMs: 1 }, options, async ({ wire, client, requests }) => {
      const cancelling = new AbortController();
      const call = client.callTool({ name: 'wait' }, { signal: cancelling.signal });
      const { context } = await wire.started();
      cancelling.abort();
      await expect(call).rejects.toThrow();
      await waitFor(() => context.signal.aborted);
      const resumes = () => requests.filter(({ headers }) => headers.has('last-event-id')).length;
      for (let round = 0; round < 50; round += 1) await client.listTools();
      expect(resumes()).toBe(0);
    }));
});

describe('the official client in a session', () => {
  const options = VERSIONS[1]![1];

  test('answers questions', () =>
    withClient({}, { ...options, capabilities: { elicitation: {} } }, async ({ client }) => {
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
      expect(JSON.parse(textOf(await client.callTool({ name: 'ask' }))).content).toEqual({ name: 'Ada' });
    }));

  test('asks once for the rest of a call that it has cancelled, and takes it for no error', () =>
    withClient({ streamAfterMs: 1, retryMs: 1 }, options, async ({ wire, client, requests }) => {
      const errors: Error[] = [];
      client.onerror = (error) => errors.push(error);
      const cancelling = new AbortController();
      let eventId: string | undefined;
      const onresumptiontoken = (token: string) => {
        eventId = token;
      };
      const call = client.callTool({ name: 'wait' }, { signal: cancelling.signal, onresumptiontoken });
      const { context } = await wire.started();
      await waitFor(() => eventId);
      cancelling.abort();
      await expect(call).rejects.toThrow();
      await waitFor(() => context.signal.aborted);
      const resumes = () => requests.filter(({ headers }) => headers.has('last-event-id')).length;
      await waitFor(() => resumes() > 0);
      for (let round = 0; round < 100; round += 1) await client.listTools();
      expect([resumes(), errors]).toEqual([1, []]);
    }));

  test('hears of changes', () =>
    withClient({}, options, async ({ wire, client }) => {
      let changes = 0;
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        changes += 1;
      });
      await waitFor(() => {
        wire.mcp.announce({ kind: 'list', list: 'tools' });
        return changes > 0;
      });
    }));

  test('comes back to a stream that the server closes, and gets the response', () =>
    withClient({ streamAfterMs: 1, pollAfterMs: 20, retryMs: 5 }, options, async ({ wire, client, requests }) => {
      const call = client.callTool({ name: 'wait' });
      const { finish } = await wire.started();
      const resumed = () => requests.flatMap(({ headers }) => headers.get('last-event-id') ?? []);
      await waitFor(() => resumed().length >= 3);
      finish('done');
      expect(textOf(await call)).toBe('done');
      expect(new Set(resumed()).size).toBe(resumed().length);
    }));

  test('ends its session', () =>
    withClient({}, options, async ({ wire, transport }) => {
      const headers = { 'mcp-session-id': transport.sessionId! };
      await transport.terminateSession();
      expect((await wire.send({ method: 'GET', headers })).status).toBe(404);
    }));
});
