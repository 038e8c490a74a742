import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { withHttp } from '../http-wire.js';
import { META_2026, type Wire } from '../wire.js';

const textOf = (reply: { body: Wire }) => reply.body.result.content[0].text;

describe('2026-07-28 over HTTP', () => {
  test('discover, list and call, without a session', () =>
    withHttp({}, async (wire) => {
      const discovered = await wire.modern('server/discover');
      expect(discovered.status).toBe(200);
      expect(discovered.headers['mcp-session-id']).toBeUndefined();
      expect(discovered.body.result.supportedVersions).toEqual(['2026-07-28']);
      expect((await wire.modern('tools/list')).body.result).toMatchObject({ resultType: 'complete', ttlMs: 5_000 });
      expect(textOf(await wire.modern('tools/call', { name: 'echo', arguments: { b: 2 } }))).toBe('{"b":2}');
    }));

  test('methods that are not there are 404 with −32601', () =>
    withHttp({}, async (wire) => {
      for (const method of ['tools/explode', 'logging/setLevel', 'ping']) {
        const reply = await wire.modern(method);
        expect([reply.status, reply.body.error.code]).toEqual([404, -32601]);
      }
    }));

  test('an unknown version is 400 with −32022, headers that disagree are −32020', () =>
    withHttp({}, async (wire) => {
      const version = '2099-01-01';
      const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const unknown = await wire.modern('tools/list', { _meta }, { 'mcp-protocol-version': version });
      expect([unknown.status, unknown.body.error.code]).toEqual([400, -32022]);
      const disagreeing = await wire.modern('tools/list', {}, { 'mcp-method': 'tools/call' });
      expect([disagreeing.status, disagreeing.body.error.code]).toEqual([400, -32020]);
    }));

  test('arguments that are not an object and unknown tools are −32602 in sentences', () =>
    withHttp({}, async (wire) => {
      const none = await wire.modern('tools/call', { name: 'echo', arguments: null });
      expect(none.body.error).toEqual({ code: -32602, message: 'params.arguments must be an object, but is null.' });
      const unknown = await wire.modern('tools/call', { name: 'ecko' });
      expect(unknown.body.error).toMatchObject({ message: 'Unknown tool: ecko', data: { suggestions: ['echo'] } });
    }));

  test('arguments nested 90,000 deep reach the host', () =>
    withHttp({}, async (wire, host) => {
      host.add({ name: 'deep', inputSchema: { type: 'object' } }, async () => ({
        kind: 'result',
        result: { content: [] },
      }));
      const deep = '['.repeat(90_000) + ']'.repeat(90_000);
      const head = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deep","_meta":${JSON.stringify(META_2026)}`;
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'deep' };
      const reply = await wire.post(`${head},"arguments":{"x":${deep}}}}`, headers);
      expect(reply.body.result.content).toEqual([]);
      const answer = await wire.modern('tools/call', { name: 'ask_one' });
      const state = JSON.stringify(answer.body.result.requestState);
      const retry = await wire.post(
        `${head},"requestState":${state},"arguments":{"x":${deep}}}}`.replaceAll('"deep"', '"ask_one"'),
        {
          ...headers,
          'mcp-name': 'ask_one',
        },
      );
      expect(retry.body.error.code).toBe(-32602);
    }));

  test('progress and logs turn the answer into a stream, the response comes last', () =>
    withHttp({}, async (wire) => {
      const response = await wire.modern('tools/call', { name: 'progress', _meta: { progressToken: 3 } });
      expect(response.messages.map((one) => one.params?.progress ?? 'response')).toEqual([0, 50, 100, 'response']);
      const _meta = { 'io.modelcontextprotocol/logLevel': 'error' };
      const logged = await wire.modern('tools/call', { name: 'log', _meta });
      expect(logged.messages.map((one) => one.params?.data ?? 'response')).toEqual(['a error', 'response']);
    }));

  test('a client that hangs up cancels its call', () =>
    withHttp({}, async (wire, host) => {
      const hangUp = new AbortController();
      const call = wire.modern('tools/call', { name: 'slow' }, {}, { signal: hangUp.signal });
      await waitFor(() => host.events.includes('start slow'));
      hangUp.abort();
      await expect(call).rejects.toThrow();
      await waitFor(() => host.events.includes('abort slow'));
    }));

  test('a capability that is missing is 400 with −32021', () =>
    withHttp({}, async (wire) => {
      const reply = await wire.modern('tools/call', { name: 'needs_sampling' });
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
    }));

  test('subscriptions/listen gets what it asked for, and a result when the server closes', () =>
    withHttp({}, async (wire, host) => {
      const received: Wire[] = [];
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['test://one'] };
      const more = { onMessage: (message: Wire) => received.push(message) };
      const listening = wire.modern('subscriptions/listen', { notifications }, {}, more);
      await waitFor(() => received.length === 1);
      expect(host.watched).toEqual(['test://one']);
      host.emit('listChanged', 'prompts');
      host.emit('listChanged', 'tools');
      host.emit('resourceUpdated', 'test://one');
      await waitFor(() => received.length === 3);
      await wire.served.close();
      expect((await listening).messages.map((one) => one.method ?? 'result')).toEqual([
        'notifications/subscriptions/acknowledged',
        'notifications/tools/list_changed',
        'notifications/resources/updated',
        'result',
      ]);
    }));

  test('Mcp-Param headers must agree with the arguments of a tool that asks for them', () =>
    withHttp({}, async (wire) => {
      const call = (args: object, headers = {}) =>
        wire.modern('tools/call', { name: 'route', arguments: args }, headers);
      expect(textOf(await call({}))).toBe('routed');
      expect(textOf(await call({ region: null }))).toBe('routed');
      expect(textOf(await call({ region: 'eu' }, { 'mcp-param-region': 'eu' }))).toBe('routed');
      const encoded = `=?base64?${Buffer.from('zürich').toString('base64')}?=`;
      expect(textOf(await call({ region: 'zürich' }, { 'mcp-param-region': encoded }))).toBe('routed');
      expect(textOf(await call({ options: { count: 42 } }, { 'mcp-param-count': '42.0' }))).toBe('routed');
      for (const [args, headers] of [
        [{ region: 'eu' }, {}],
        [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
        [{ region: 'eu' }, { 'mcp-param-region': '=?base64?*?=' }],
        [{ options: { count: 42 } }, { 'mcp-param-count': '43' }],
      ] as const) {
        const reply = await call(args, headers);
        expect([reply.status, reply.body.error.code]).toEqual([400, -32020]);
        expect(reply.body.id).toBeGreaterThan(0);
      }
    }));
});
