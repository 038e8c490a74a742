import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { TestHost } from '../test-host.js';
import { INITIALIZE, modern, StdioWire, type Wire } from '../wire.js';

async function withWire(run: (wire: StdioWire, host: TestHost) => Promise<void>, wire = new StdioWire(new TestHost())) {
  try {
    await run(wire, wire.host);
  } finally {
    await wire.end();
  }
}

const textOf = (response: Wire) => response.result.content[0].text;

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
      expect(error).toEqual({ code: -32602, message: 'Unknown tool: ecko', data: { suggestions: ['echo'] } });
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
        expect(error).toEqual({ code: -32603, message: 'Internal error: the log of the server has the details.' });
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
        data: { uri: 'test://nowhere' },
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
      expect((await wire.request(method, params)).error).toEqual({ code: -32602, message });
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
      expect(JSON.stringify(wire.log.lines)).toContain('The client gave no answer: no');
      await waitFor(() => wire.notifications('notifications/cancelled').length === 2);
    }));
});

describe('a 2026-07-28 connection over stdio', () => {
  test('discover, list and call, without initialize', () =>
    withWire(async (wire, host) => {
      const release = host.holdReady();
      const discovered = await wire.request('server/discover', modern());
      expect(discovered.result).toMatchObject({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        ttlMs: 60_000,
        cacheScope: 'public',
      });
      release();
      const { result } = await wire.request('tools/list', modern());
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: 5_000, cacheScope: 'private' });
      expect(result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('mortise');
      expect(textOf(await wire.request('tools/call', modern({ name: 'echo', arguments: { b: 1 } })))).toBe('{"b":1}');
    }));

  test('initialize after discover is served as 2025-11-25', () =>
    withWire(async (wire, host) => {
      await wire.request('server/discover', modern());
      expect((await wire.initialize()).result.protocolVersion).toBe('2025-11-25');
      expect((await wire.request('tools/list')).result.tools.length).toBeGreaterThan(0);
      host.emit('listChanged', 'tools');
      await waitFor(() => wire.notifications('notifications/tools/list_changed')[0]);
      await wire.request('ping');
      expect(wire.notifications('notifications/tools/list_changed')).toHaveLength(1);
    }));

  test('an unknown version is −32022 with those that are known, in every request', () =>
    withWire(async (wire) => {
      const params = modern({ name: 'echo' }, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
      const expected = { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } };
      expect((await wire.request('tools/list', params)).error).toMatchObject(expected);
      await wire.request('tools/call', modern({ name: 'echo' }));
      for (const method of ['tools/list', 'tools/call', 'server/discover']) {
        expect((await wire.request(method, params)).error, method).toMatchObject(expected);
      }
    }));

  test('methods of 2025-11-25 are −32601', () =>
    withWire(async (wire) => {
      await wire.request('tools/list', modern());
      expect((await wire.request('logging/setLevel', modern({ level: 'info' }))).error.code).toBe(-32601);
      expect((await wire.request('resources/subscribe', modern({ uri: 'test://one' }))).error.code).toBe(-32601);
    }));

  test('logs of a call go out at the level of its envelope, else not at all', () =>
    withWire(async (wire) => {
      await wire.request('tools/call', modern({ name: 'log' }));
      expect(wire.notifications('notifications/message')).toEqual([]);
      await wire.request('tools/call', modern({ name: 'log' }, { 'io.modelcontextprotocol/logLevel': 'warning' }));
      expect(wire.notifications('notifications/message').map((one) => one.params.level)).toEqual(['warning', 'error']);
    }));

  test('progress and cancellation', () =>
    withWire(async (wire, host) => {
      await wire.request('tools/call', modern({ name: 'progress' }, { progressToken: 't' }));
      expect(wire.notifications('notifications/progress').map((one) => one.params.progress)).toEqual([0, 50, 100]);
      const id = wire.start('tools/call', modern({ name: 'slow' }));
      await waitFor(() => host.events.includes('start slow'));
      wire.notify('notifications/cancelled', modern({ requestId: id }));
      await waitFor(() => host.events.includes('abort slow'));
      expect((await wire.request('tools/list', modern())).result.tools).toBeDefined();
      expect(wire.received.some((one) => one.id === id)).toBe(false);
    }));

  test('a missing resource is −32602 with its uri', () =>
    withWire(async (wire) => {
      const { error } = await wire.request('resources/read', modern({ uri: 'test://nowhere' }));
      expect(error).toMatchObject({ code: -32602, data: { uri: 'test://nowhere' } });
    }));

  test('subscriptions/listen gets what it asked for', () =>
    withWire(async (wire, host) => {
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['test://one'] };
      const id = wire.start('subscriptions/listen', modern({ notifications }));
      await waitFor(() => wire.notifications('notifications/subscriptions/acknowledged')[0]);
      expect(host.watched).toEqual(['test://one']);
      host.emit('listChanged', 'prompts');
      host.emit('listChanged', 'tools');
      host.emit('resourceUpdated', 'test://two');
      host.emit('resourceUpdated', 'test://one');
      const updated = await waitFor(() => wire.notifications('notifications/resources/updated')[0]);
      expect(updated.params).toMatchObject({
        uri: 'test://one',
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      });
      expect(wire.notifications('notifications/tools/list_changed')).toHaveLength(1);
      expect(wire.notifications('notifications/prompts/list_changed')).toEqual([]);
    }));
});

describe('what is not a message', () => {
  const id = undefined;
  test.each([
    ['{"jsonrpc":"2.0",', { code: -32700, id }],
    ['hello', { code: -32700, id }],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { code: -32600, id }],
    ['[]', { code: -32600, id }],
    ['42', { code: -32600, id }],
    ['null', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', { code: -32600, id }],
    ['{"id":1,"method":"ping"}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":1}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":1,"method":7}', { code: -32600, id }],
    ['{"jsonrpc":"2.0","id":9,"method":"ping","params":[1]}', { code: -32600, id: 9 }],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":3}}', { code: -32602, id: 'a' }],
  ])('%s', (line, expected) =>
    withWire(async (wire) => {
      await wire.initialize();
      const answer = await wire.provoke(line);
      expect({ code: answer.error.code, id: answer.id }).toEqual(expected);
      expect('id' in answer).toBe(expected.id !== undefined);
      expect(answer.error.message).toMatch(/^(Parse error|Invalid request|Invalid params): .+\.$/);
      expect((await wire.request('ping')).result).toEqual({});
    }),
  );

  test('a batch is told what to do', () =>
    withWire(async (wire) => {
      const { error } = await wire.provoke('[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
      expect(error.message).toBe('Invalid request: batches are not part of the protocol; send one message at a time.');
    }));

  test('is answered before anything else was said, too', () =>
    withWire(async (wire) => {
      expect((await wire.provoke('nonsense')).error.code).toBe(-32700);
    }));

  test('empty lines and CRLF are fine, and so are members that JSON-RPC does not know', () =>
    withWire(async (wire) => {
      await wire.initialize();
      wire.line('');
      wire.line('   \r');
      const answer = await wire.provoke('{"jsonrpc":"2.0","id":"x","method":"ping","extra":true}\r');
      expect(answer).toEqual({ jsonrpc: '2.0', id: 'x', result: {} });
      expect(wire.received.filter((one) => 'error' in one)).toEqual([]);
    }));

  test.each([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}',
    '{"jsonrpc":"2.0","error":{}}',
    '{"result":1}',
  ])('responses that are none are not answered: %s', (line) =>
    withWire(async (wire) => {
      await wire.initialize();
      const before = wire.received.length;
      wire.line(line);
      await wire.request('ping');
      expect(wire.received).toHaveLength(before + 1);
    }),
  );

  test('a message that comes in pieces, and several in one piece', () =>
    withWire(async (wire) => {
      await wire.initialize();
      const line = JSON.stringify({ jsonrpc: '2.0', id: 'ü', method: 'ping' });
      for (const byte of Buffer.from(line)) wire.input.write(Buffer.of(byte));
      wire.input.write(`\n${line.replace('ü', 'b')}\n${line.replace('ü', 'c')}\n`);
      await waitFor(() => wire.received.filter((one) => typeof one.id === 'string').length === 3);
      expect(wire.received.map((one) => one.id)).toContain('ü');
    }));
});

describe('a line that is too long', () => {
  const wireOf = () => new StdioWire(new TestHost(), { maxLineBytes: 2_000 });

  test.each([
    ['last', (text: string) => `{"method":"tools/call","params":{"text":"${text}"},"jsonrpc":"2.0","id":77}`, 77],
    ['first', (text: string) => `{"jsonrpc":"2.0","id":"k1","method":"x","params":{"id":3,"text":"${text}"}}`, 'k1'],
    ['in the middle', (text: string) => `{"jsonrpc":"2.0","method":"x","id":5,"params":{"text":"${text}"}}`, undefined],
    [
      'under a longer name',
      (text: string) => `{"jsonrpc":"2.0","method":"x","params":{"t":"${text}"},"a\\"id":5}`,
      undefined,
    ],
    ['inside params', (text: string) => `{"jsonrpc":"2.0","method":"x","params":{"t":"${text}","id":5}}`, undefined],
  ])('is answered with its id where that stands %s, and ignored', (_where, line, id) =>
    withWire(async (wire) => {
      await wire.initialize();
      const answer = await wire.provoke(line('x'.repeat(300_000)));
      expect(answer.id).toBe(id);
      expect(answer.error).toEqual({
        code: -32600,
        message: 'Invalid request: a message may have 2000 bytes at most.',
      });
      expect((await wire.request('ping')).result).toEqual({});
      expect(wire.received.filter((one) => 'error' in one)).toHaveLength(1);
    }, wireOf()),
  );
});

describe('the end of a connection', () => {
  test('when the input ends, running requests are answered first', async () => {
    const wire = new StdioWire(new TestHost());
    await wire.initialize();
    const id = wire.start('tools/call', { name: 'later', arguments: { ms: 50 } });
    wire.input.end();
    await wire.served.closed;
    expect(textOf(await wire.response(id))).toBe('done');
    expect(wire.host.listeners()).toBe(0);
  });

  test('a request that does not end is cancelled after a while, and answered', async () => {
    const wire = new StdioWire(new TestHost(), { endOfInputMs: 100 });
    await wire.initialize();
    const id = wire.start('tools/call', { name: 'slow' });
    wire.input.end();
    await wire.served.closed;
    expect(wire.host.events).toContain('abort slow');
    expect(await wire.response(id)).toBeDefined();
  });

  test('a subscription does not hold it up', async () => {
    const wire = new StdioWire(new TestHost());
    wire.start('subscriptions/listen', modern({ notifications: { toolsListChanged: true } }));
    await waitFor(() => wire.notifications('notifications/subscriptions/acknowledged')[0]);
    const endedAt = performance.now();
    wire.input.end();
    await wire.served.closed;
    expect(performance.now() - endedAt).toBeLessThan(2_500);
  });

  test('a request after close() is refused with its id, and those that run are answered', async () => {
    const wire = new StdioWire(new TestHost());
    await wire.initialize();
    const running = wire.start('tools/call', { name: 'later', arguments: { ms: 50 } });
    await waitFor(() => wire.host.events.includes('start later'));
    const closing = wire.served.close();
    const response = wire.start('ping');
    expect((await wire.response(response)).error).toEqual({ code: -32000, message: 'The server is shutting down.' });
    expect(textOf(await wire.response(running))).toBe('done');
    await closing;
    await wire.served.closed;
    wire.line('{"jsonrpc":"2.0","id":"dead","method":"ping"}');
    // It is not answered.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wire.received.some((one) => one.id === 'dead')).toBe(false);
  });

  test('a reader that is gone ends it', async () => {
    const wire = new StdioWire(new TestHost());
    await wire.initialize();
    wire.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await wire.served.closed;
    expect(wire.host.listeners()).toBe(0);
  });

  test('an input that has ended before anything came is fine', async () => {
    const wire = new StdioWire(new TestHost());
    wire.input.end();
    await wire.served.closed;
    expect(wire.received).toEqual([]);
  });
});
