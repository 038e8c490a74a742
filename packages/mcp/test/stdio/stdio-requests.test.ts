import { type Handlers, PreparedResult, type RequestContext } from '@mortise/mcp';
import { describe, expect, it } from 'vitest';
import { declaration, INITIALIZE, StdioWire } from './stdio-wire.js';

const TOOLS = { tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }] };
const DONE = { content: [{ type: 'text' as const, text: 'done' }] };
const CALL = { name: 'echo' };

/** A call that ends when the test says so. */
function openCall() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const contexts: RequestContext[] = [];
  const handlers: Handlers = {
    async 'tools/call'(_params, context) {
      contexts.push(context);
      await ended;
      return DONE;
    },
  };
  return { handlers, contexts, end };
}

describe('messages', () => {
  it.each([
    ['params that are not an object', { params: 'x' }],
    ['_meta that is not an object', { params: { _meta: 'x' } }],
  ])('a notification with %s has no response', async (_, message) => {
    const wire = new StdioWire({});
    await wire.initialize();
    wire.send({ method: 'notifications/unknown', ...message });
    await wire.request(1, 'ping');
    expect(wire.received.map(({ id }) => id)).toEqual(['initialize', 1]);
  });

  it('an empty method is not found', async () => {
    const wire = new StdioWire({});
    await wire.initialize();
    expect((await wire.request(1, '')).error.code).toBe(-32601);
  });

  it('a byte order mark before the first line is ignored', async () => {
    const wire = new StdioWire({});
    wire.line(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })}`);
    expect((await wire.response(1)).result.protocolVersion).toBe('2025-11-25');
  });

  it('a line that is too long is refused with its id, and the next one is answered', async () => {
    const wire = new StdioWire({}, {}, { maxLineBytes: 1_000 });
    expect((await wire.request(1, 'ping', { text: 'x'.repeat(2_000) })).error.code).toBe(-32600);
    expect((await wire.request(2, 'ping')).result).toEqual({});
  });
});

describe('declarations of 2026-07-28', () => {
  it('a capability that the protocol does not describe may be anything', async () => {
    const wire = new StdioWire({ 'tools/list': () => TOOLS });
    const _meta = declaration({ 'io.modelcontextprotocol/clientCapabilities': { later: true } });
    expect((await wire.request(1, 'tools/list', { _meta })).result.tools).toEqual(TOOLS.tools);
  });

  it('one that it describes must be an object', async () => {
    const wire = new StdioWire({ 'tools/list': () => TOOLS });
    const _meta = declaration({ 'io.modelcontextprotocol/clientCapabilities': { sampling: true } });
    expect((await wire.request(1, 'tools/list', { _meta })).error.code).toBe(-32602);
  });

  it('initialize with a wrong declaration begins a session, and is refused after a stateless request', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': 1 };
    const first = new StdioWire({});
    expect((await first.request(1, 'initialize', { ...INITIALIZE, _meta })).result.protocolVersion).toBe('2025-11-25');
    const second = new StdioWire({ 'tools/list': () => TOOLS });
    await second.request(1, 'tools/list', { _meta: declaration() });
    expect((await second.request(2, 'initialize', { ...INITIALIZE, _meta })).error.code).toBe(-32022);
  });
});

describe('a request that runs', () => {
  it('keeps its id: another request with it is refused, and the first one is answered', async () => {
    const { handlers, end } = openCall();
    const wire = new StdioWire(handlers);
    await wire.initialize();
    wire.send({ id: 1, method: 'tools/call', params: CALL });
    expect((await wire.request(1, 'ping')).error.code).toBe(-32600);
    end();
    expect((await wire.find(({ id, result }) => id === 1 && result)).result).toEqual(DONE);
  });

  it('has no response once the client has cancelled it, and its signal fires', async () => {
    const { handlers, contexts, end } = openCall();
    const wire = new StdioWire(handlers);
    await wire.initialize();
    wire.send({ id: 1, method: 'tools/call', params: CALL });
    wire.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await wire.request(2, 'ping');
    expect(contexts[0]!.signal.aborted).toBe(true);
    end();
    await wire.request(3, 'ping');
    expect(wire.received.some(({ id }) => id === 1)).toBe(false);
  });

  it('sends progress and the log lines of the level that the client wants', async () => {
    const wire = new StdioWire({
      'tools/call'(_params, context) {
        context.progress({ progress: 1, total: 2 });
        context.log({ level: 'info', data: 'quiet' });
        context.log({ level: 'error', data: 'loud' });
        return DONE;
      },
    });
    await wire.initialize();
    await wire.request(1, 'logging/setLevel', { level: 'warning' });
    await wire.request(2, 'tools/call', { ...CALL, _meta: { progressToken: 't' } });
    expect(wire.received.filter(({ method }) => method).map(({ params }) => params)).toEqual([
      { progressToken: 't', progress: 1, total: 2 },
      { level: 'error', data: 'loud' },
    ]);
  });

  it.each([
    ['a result', () => DONE],
    ['a result that takes its time', async () => DONE],
    ['an error', () => Promise.reject(new Error('broken'))],
  ])('is answered by %s apart from its last progress, which the official client loses otherwise', async (_, end) => {
    const wire = new StdioWire({
      'tools/call'(_params, context) {
        context.progress({ progress: 1, total: 2 });
        context.progress({ progress: 2, total: 2 });
        return end();
      },
    });
    await wire.initialize();
    await wire.request(1, 'tools/call', { ...CALL, _meta: { progressToken: 't' } });
    const [reports, response] = wire.chunks.slice(-2);
    expect(reports!.map(({ params }) => params.progress)).toEqual([1, 2]);
    expect(response).toMatchObject([{ id: 1 }]);
  });

  it('cancels its questions at the client when it ends', async () => {
    const wire = new StdioWire({
      'tools/call'(_params, context) {
        context.ask('roots/list', undefined).catch(() => {});
        return DONE;
      },
    });
    await wire.initialize();
    await wire.request(1, 'tools/call', CALL);
    const question = wire.received.find(({ method }) => method === 'roots/list');
    const cancelled = wire.received.find(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.params.requestId).toBe(question.id);
  });

  it('is answered when the server closes, with what its handler makes of the signal', async () => {
    const wire = new StdioWire({
      'tools/call': (_params, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(DONE))),
    });
    await wire.initialize();
    wire.send({ id: 1, method: 'tools/call', params: CALL });
    await wire.request(2, 'ping');
    await wire.served.close(0);
    expect((await wire.response(1)).result).toEqual(DONE);
  });
});

describe('results and errors', () => {
  it('a prepared result has what each version wants', async () => {
    const list = PreparedResult.of(TOOLS);
    const handlers: Handlers = { 'tools/list': () => list };
    const session = new StdioWire(handlers);
    await session.initialize();
    expect((await session.request(1, 'tools/list')).result).toEqual(TOOLS);
    const stateless = new StdioWire(handlers);
    const { result } = await stateless.request(1, 'tools/list', { _meta: declaration() });
    expect(result).toMatchObject({ ...TOOLS, resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  });

  it('an unexpected error keeps its text back, and every error passes redactError', async () => {
    const errors: unknown[] = [];
    const wire = new StdioWire(
      {
        'tools/call'() {
          throw new Error('secret');
        },
      },
      {
        onError: (error) => errors.push(error),
        redactError: (error) => ({ ...error, message: error.message.replace('hidden', '***') }),
      },
    );
    await wire.initialize();
    const { error } = await wire.request(1, 'tools/call', CALL);
    expect(error.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(String(errors[0])).toContain('secret');
    expect((await wire.request(2, 'hidden')).error.message).toBe('Method not found: ***');
  });

  it('trace hears of the beginning, with the traceparent, and of the end', async () => {
    const events: unknown[] = [];
    const trace = ({ meta }: RequestContext) => {
      events.push(meta.traceparent);
      return (error?: { code: number }) => events.push(error?.code ?? 'answered');
    };
    const wire = new StdioWire({ 'tools/call': () => DONE }, { trace: (context) => trace(context) as () => void });
    await wire.initialize();
    events.length = 0;
    await wire.request(1, 'tools/call', { ...CALL, _meta: { traceparent: '00-a-b-01' } });
    await wire.request(2, 'unknown');
    expect(events).toEqual(['00-a-b-01', 'answered', undefined, -32601]);
  });
});

describe('subscriptions/listen', () => {
  const listen = (uri: string) => ({ notifications: { resourceSubscriptions: [uri] }, _meta: declaration() });

  it('sends what the filter wants, and is answered when the server ends its calls', async () => {
    const wire = new StdioWire({});
    wire.send({ id: 1, method: 'subscriptions/listen', params: listen('test://a') });
    await wire.find(({ method }) => method === 'notifications/subscriptions/acknowledged');
    wire.server.announce({ kind: 'resource', uri: 'test://b' });
    wire.server.announce({ kind: 'list', list: 'tools' });
    wire.server.announce({ kind: 'resource', uri: 'test://a' });
    wire.server.cancelAll();
    await wire.response(1);
    expect(wire.received.slice(1, -1).map(({ params }) => params.uri)).toEqual(['test://a']);
  });

  it('is refused beyond the limit of a principal, until one ends', async () => {
    const wire = new StdioWire({}, { limits: { listensPerPrincipal: 1 } });
    wire.send({ id: 1, method: 'subscriptions/listen', params: listen('test://a') });
    expect((await wire.request(2, 'subscriptions/listen', listen('test://a'))).error.code).toBe(-32603);
    wire.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    wire.send({ id: 3, method: 'subscriptions/listen', params: listen('test://a') });
    await wire.find(({ params }) => params?._meta?.['io.modelcontextprotocol/subscriptionId'] === 3);
  });
});
