import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { INITIALIZE, textOf, withWire } from '../wire.js';

describe('a 2025-11-25 connection over stdio', () => {
  test('initialize is answered before the plugins have loaded, the list only after', () =>
    withWire(async (wire, host) => {
      const release = host.holdReady();
      const { result } = await wire.initialize();
      expect(result).toMatchObject({
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'mortise', title: 'Mortise', version: '1.2.3' },
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
      });
      const id = wire.start('tools/list');
      await wire.request('ping');
      expect(wire.received.some((one) => one.id === id)).toBe(false);
      release();
      expect((await wire.response(id)).result.tools[0].name).toBe('ask_all');
    }));

  test('a version that no one knows gets the newest with sessions', () =>
    withWire(async (wire) => {
      const { result } = await wire.initialize({ ...INITIALIZE, protocolVersion: '1999-01-01' });
      expect(result.protocolVersion).toBe('2025-11-25');
    }));

  test('initialize without its members is −32602 in a sentence', () =>
    withWire(async (wire) => {
      const { error } = await wire.request('initialize', { protocolVersion: '2025-11-25' });
      expect(error.code).toBe(-32602);
      expect(error.message).toMatch(/^Invalid params: initialize needs params\.protocolVersion/);
      expect((await wire.initialize()).result.protocolVersion).toBe('2025-11-25');
    }));

  test('nothing of 2026-07-28 is in its results', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const { result } = await wire.request('tools/list');
      expect(Object.keys(result)).toEqual(['tools']);
    }));

  test('a call gets its arguments, or that there are none', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const params = { name: 'echo', arguments: { a: [1, null], __proto__: undefined } };
      expect(textOf(await wire.request('tools/call', params))).toBe('{"a":[1,null]}');
      expect(textOf(await wire.request('tools/call', { name: 'echo' }))).toBe('{"none":true}');
      expect(textOf(await wire.request('tools/call', { name: 'echo', arguments: {} }))).toBe('{}');
    }));

  test.each([
    [null, 'null'],
    [[], 'an array'],
    ['x', 'a string'],
    [3, 'a number'],
  ])('arguments that are %j are −32602 in a sentence', (args, what) =>
    withWire(async (wire) => {
      await wire.initialize();
      const { error } = await wire.request('tools/call', { name: 'echo', arguments: args });
      expect(error).toEqual({ code: -32602, message: `params.arguments must be an object, but is ${what}.` });
    }),
  );

  test('an unknown tool is −32602 with near names', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const { error } = await wire.request('tools/call', { name: 'ecko', arguments: {} });
      expect(error).toEqual({
        code: -32602,
        message: 'Unknown tool: ecko',
        data: { suggestions: ['echo'], callId: expect.any(String) },
      });
      expect((await wire.request('tools/call', {})).error.message).toBe(
        'params.name must be a string, but is missing.',
      );
    }));

  test('an exception of the host shows nothing of its insides', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const call = await wire.request('tools/call', { name: 'boom' });
      const read = await wire.request('resources/read', { uri: 'test://broken' });
      for (const { error } of [call, read]) {
        expect(error).toEqual({
          code: -32603,
          message: 'Internal error: the log of the server has the details.',
          data: { code: 'INTERNAL_ERROR', callId: expect.any(String) },
        });
        expect(JSON.stringify(wire.log.lines)).toContain(error.data.callId);
      }
      expect(JSON.stringify(wire.log.lines)).toContain('secret insides');
    }));

  test('methods that are not there are −32601, those of 2026-07-28 too', () =>
    withWire(async (wire) => {
      await wire.initialize();
      expect((await wire.request('tools/explode')).error.code).toBe(-32601);
      expect((await wire.request('server/discover')).error.code).toBe(-32601);
    }));

  test.each([
    ['a string', 'token-1'],
    ['a number', 7],
  ])('progress with %s for a token', (_what, progressToken) =>
    withWire(async (wire) => {
      await wire.initialize();
      const response = await wire.request('tools/call', { name: 'progress', _meta: { progressToken } });
      expect(textOf(response)).toBe('told');
      // The tool reports once more 5 ms after its result: that is not sent.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const sent = wire.notifications('notifications/progress');
      expect(sent.map((one) => one.params)).toEqual([
        { progressToken, progress: 0, total: 100 },
        { progressToken, progress: 50, total: 100, message: 'half' },
        { progressToken, progress: 100, total: 100 },
      ]);
      expect(wire.received.indexOf(sent.at(-1))).toBeLessThan(wire.received.indexOf(response));
    }),
  );

  test('without a token there is no progress; a token of another kind is −32602', () =>
    withWire(async (wire) => {
      await wire.initialize();
      expect(textOf(await wire.request('tools/call', { name: 'progress' }))).toBe('silent');
      const { error } = await wire.request('tools/call', { name: 'progress', _meta: { progressToken: {} } });
      expect(error.code).toBe(-32602);
      expect(error.message).toContain('_meta.progressToken');
      expect(wire.notifications('notifications/progress')).toEqual([]);
    }));

  test('a cancelled call ends in the host and has no response', () =>
    withWire(async (wire, host) => {
      await wire.initialize();
      const id = wire.start('tools/call', { name: 'slow' });
      await waitFor(() => host.events.includes('start slow'));
      wire.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
      await waitFor(() => host.events.includes('abort slow'));
      await wire.request('ping');
      expect(wire.received.some((one) => one.id === id)).toBe(false);
    }));

  test('logs of a call follow the level of the session: info until it is set', () =>
    withWire(async (wire) => {
      await wire.initialize();
      await wire.request('tools/call', { name: 'log' });
      const levels = () => wire.notifications('notifications/message').map((one) => one.params.level);
      expect(levels()).toEqual(['info', 'warning', 'error']);
      expect(wire.notifications('notifications/message')[0].params).toEqual({
        level: 'info',
        logger: 'demo',
        data: { message: 'a info', count: 2 },
      });
      await wire.request('logging/setLevel', { level: 'error' });
      await wire.request('tools/call', { name: 'log' });
      expect(levels()).toEqual(['info', 'warning', 'error', 'error']);
      await wire.request('logging/setLevel', { level: 'debug' });
      await wire.request('tools/call', { name: 'log' });
      expect(levels().slice(4)).toEqual(['debug', 'info', 'warning', 'error']);
    }));

  test('a level that does not exist is −32602 with those that do', () =>
    withWire(async (wire) => {
      await wire.initialize();
      for (const params of [{ level: 'loud' }, {}, undefined]) {
        const { error } = await wire.request('logging/setLevel', params);
        expect(error.code).toBe(-32602);
        expect(error.message).toContain('debug, info, notice');
      }
    }));

  test('lines of no call go to sessions that have set a level', () =>
    withWire(async (wire, host) => {
      await wire.initialize();
      const line = { level: 'warn' as const, message: 'plugin gone', logger: 'host' };
      host.emit('log', line);
      await wire.request('logging/setLevel', { level: 'warning' });
      host.emit('log', { ...line, message: 'second' });
      host.emit('log', { ...line, level: 'info' });
      await wire.request('ping');
      expect(wire.notifications('notifications/message').map((one) => one.params.data)).toEqual(['second']);
    }));

  test('changes are announced, but not before the client has initialized', () =>
    withWire(async (wire, host) => {
      await wire.request('initialize', INITIALIZE);
      host.emit('listChanged', 'tools');
      wire.notify('notifications/initialized');
      await wire.request('ping');
      expect(wire.notifications('notifications/tools/list_changed')).toEqual([]);
      for (const what of ['tools', 'resources', 'prompts'] as const) {
        host.emit('listChanged', what);
        await waitFor(() => wire.notifications(`notifications/${what}/list_changed`)[0]);
      }
    }));

  test('resources that are subscribed to are reported until they are not', () =>
    withWire(async (wire, host) => {
      await wire.initialize();
      expect((await wire.request('resources/subscribe', { uri: 'test://one' })).result).toEqual({});
      host.emit('resourceUpdated', 'test://two');
      host.emit('resourceUpdated', 'test://one');
      await wire.request('resources/unsubscribe', { uri: 'test://one' });
      host.emit('resourceUpdated', 'test://one');
      await wire.request('ping');
      expect(wire.notifications('notifications/resources/updated').map((one) => one.params)).toEqual([
        { uri: 'test://one' },
      ]);
      expect((await wire.request('resources/subscribe', {})).error.code).toBe(-32602);
      const { error } = await wire.request('resources/subscribe', { uri: 'test://none' });
      expect(error).toEqual({ code: -32002, message: 'Resource not found: test://none', data: { uri: 'test://none' } });
    }));

  test('resources, templates, prompts and completions', () =>
    withWire(async (wire) => {
      await wire.initialize();
      expect((await wire.request('resources/list')).result.resources).toHaveLength(2);
      expect((await wire.request('resources/templates/list')).result.resourceTemplates[0].name).toBe('item');
      expect((await wire.request('resources/read', { uri: 'test://item/7' })).result).toEqual({
        contents: [{ uri: 'test://item/7', text: '7' }],
      });
      expect((await wire.request('prompts/list')).result.prompts[0].name).toBe('greet');
      expect((await wire.request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } })).result).toEqual({
        description: 'A greeting',
        messages: [{ role: 'user', content: { type: 'text', text: 'Hello, Ada!' } }],
      });
      const completion = await wire.request('completion/complete', {
        ref: { type: 'ref/resource', uri: 'test://item/{id}' },
        argument: { name: 'id', value: 'a' },
        context: { arguments: { other: 'b' } },
      });
      expect(completion.result.completion).toEqual({
        values: ['test://item/{id}:id:a', 'other=b'],
        total: 2,
        hasMore: false,
      });
    }));

  test('a missing resource is −32002 with its uri', () =>
    withWire(async (wire) => {
      await wire.initialize();
      expect((await wire.request('resources/read', { uri: 'test://nowhere' })).error).toEqual({
        code: -32002,
        message: 'Resource not found: test://nowhere',
        data: { uri: 'test://nowhere', callId: expect.any(String) },
      });
    }));

  test.each([
    [
      'prompts/get',
      { name: 'greet', arguments: { name: 1 } },
      'params.arguments.name must be a string, but is a number.',
    ],
    ['prompts/get', { name: 'greet', arguments: [] }, 'params.arguments must be an object, but is an array.'],
    ['prompts/get', { name: 'none-such' }, 'Unknown prompt: none-such'],
    ['resources/read', { uri: 5 }, 'params.uri must be a string, but is a number.'],
    ['completion/complete', { ref: { type: 'ref/tool' } }, "params.ref.type must be 'ref/prompt' or 'ref/resource'."],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'x' } },
      'params.argument.value must be a string, but is missing.',
    ],
  ])('%s with %j is −32602 in a sentence', (method, params, message) =>
    withWire(async (wire) => {
      await wire.initialize();
      expect((await wire.request(method, params)).error).toMatchObject({ code: -32602, message });
    }),
  );

  test('questions go to the client at once, all of them, and the call continues with the answers', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const id = wire.start('tools/call', { name: 'ask_all' });
      const answer = await waitFor(() => {
        const requests = wire.received.filter((one) => 'method' in one && 'id' in one);
        return requests.length === 3 && requests;
      });
      expect(answer.map((one) => one.method).sort()).toEqual([
        'elicitation/create',
        'roots/list',
        'sampling/createMessage',
      ]);
      for (const one of answer) wire.line(JSON.stringify({ jsonrpc: '2.0', id: one.id, result: { for: one.method } }));
      expect(JSON.parse(textOf(await wire.response(id)))).toEqual({
        user: { for: 'elicitation/create' },
        city: { for: 'sampling/createMessage' },
        where: { for: 'roots/list' },
      });
    }));

  test('a refused question cancels the others', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const id = wire.start('tools/call', { name: 'ask_all' });
      const first = await waitFor(() => wire.received.find((one) => one.method === 'elicitation/create'));
      wire.line(JSON.stringify({ jsonrpc: '2.0', id: first.id, error: { code: -1, message: 'no' } }));
      expect((await wire.response(id)).error.code).toBe(-32603);
      expect(JSON.stringify(wire.log.lines)).toContain('Error: no');
      await waitFor(() => wire.notifications('notifications/cancelled').length === 2);
    }));
});
