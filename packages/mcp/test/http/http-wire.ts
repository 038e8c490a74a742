import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { McpServer, type RequestContext, RpcError } from '@mortise/mcp';
import { type HttpOptions, type ServedHttp, serveHttp } from '@mortise/mcp/http';
import { waitFor } from '../../../../test/support/wait-for.js';

/** A JSON-RPC message as it stood on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
export type Message = any;

/** One server-sent event. */
export interface WireEvent {
  id?: string;
  retry?: string;
  /** Undefined for an event without a message. */
  message?: Message;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Those of an event stream. */
  events: WireEvent[];
  /** The JSON body, or the messages of the event stream. */
  messages: Message[];
  /** The last message: a response comes last. */
  body: Message;
  /** The whole body. */
  text: string;
}

export interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Ends the request from the client's side. */
  signal?: AbortSignal;
  /** Called when the request has been sent. */
  onSent?(): void;
  onEvent?(event: WireEvent): void;
  /** Called with the response when its head has come. */
  onResponse?(res: IncomingMessage): void;
  /** Called with all that has come so far. */
  onText?(text: string): void;
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export function initializeOf(protocolVersion = '2025-11-25') {
  return { protocolVersion, capabilities: { elicitation: {} }, clientInfo: { name: 'test', version: '1' } };
}

const QUESTION = {
  message: 'Name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

const text = (value: unknown) => ({ content: [{ type: 'text', text: String(value) }] });

/** A server whose calls end when the test wants it, on a free port of loopback, spoken to by raw requests. */
export class HttpWire {
  /** What was reported to the operator. */
  readonly errors: unknown[] = [];
  /** The calls of `wait` that were started, by their argument `key`. */
  readonly waiting = new Map<string, { context: RequestContext; finish(text: string): void }>();
  readonly mcp: McpServer;
  served!: ServedHttp;
  #id = 0;

  constructor() {
    this.mcp = new McpServer({
      info: { name: 'test', version: '1' },
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} },
      handlers: {
        'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
        'tools/call': ({ name, arguments: args = {} }, context) => this.#call(name as string, args as Message, context),
        'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'text' }] }),
      },
      onError: (error) => this.errors.push(error),
    });
  }

  get port(): number {
    return Number(new URL(this.served.url).port);
  }

  #call(name: string, args: Message, context: RequestContext): Message {
    const tools: Record<string, () => Message> = {
      echo: () => text(args.text ?? 'echo'),
      later: async () => text('later'),
      progress: () => {
        context.progress({ progress: 1, total: 1 });
        return text('done');
      },
      wait: () =>
        new Promise((resolve) => {
          const key = String(args.key ?? name);
          this.waiting.set(key, { context, finish: (value) => resolve(text(value)) });
          context.signal.addEventListener('abort', () => resolve(text('cancelled')));
        }),
      'progress-wait': () => {
        context.log({ level: 'emergency', data: 'begun' }, 'debug');
        return tools.wait!();
      },
      ignore: () => new Promise(() => this.waiting.set(String(args.key ?? name), { context, finish: () => {} })),
      ask: async () => text(JSON.stringify(await context.ask('elicitation/create', QUESTION))),
      fail: () => {
        const error = new RpcError(args.code, 'Wanted.', { reason: 'wanted' });
        if (args.isLater) return Promise.reject(error);
        throw error;
      },
      refuse: () => {
        context.httpResponse = { status: 403, headers: { 'www-authenticate': 'Bearer' } };
        if (args.hasStream) context.log({ level: 'emergency', data: 'begun' }, 'debug');
        return args.isError ? tools.fail!() : text('refused');
      },
      throw: () => {
        throw new Error('secret');
      },
    };
    return tools[name]!();
  }

  async started(key = 'wait') {
    return waitFor(() => this.waiting.get(key));
  }

  send({
    method = 'POST',
    path = '/mcp',
    headers = {},
    body,
    signal,
    onSent,
    onEvent,
    onText,
    onResponse,
  }: Sent): Promise<Reply> {
    const options = {
      port: this.port,
      host: '127.0.0.1',
      path,
      method,
      headers,
      ...(signal && { signal }),
      agent: false,
    };
    return new Promise((resolve, reject) => {
      const req = httpRequest(options, (res) => {
        const isStream = res.headers['content-type'] === 'text/event-stream';
        const events: WireEvent[] = [];
        let all = '';
        let rest = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => {
          all += chunk;
          onText?.(all);
          if (!isStream) return;
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop()!;
          for (const event of blocks.map(readEvent)) {
            if (event === undefined) continue;
            events.push(event);
            onEvent?.(event);
          }
        });
        res.on('error', reject);
        onResponse?.(res);
        res.on('end', () => {
          const sent = events.flatMap(({ message }) => (message === undefined ? [] : [message]));
          const messages = isStream || all === '' ? sent : [JSON.parse(all)];
          const { statusCode, headers } = res;
          resolve({ status: statusCode!, headers, events, messages, body: messages.at(-1), text: all });
        });
      });
      req.on('error', reject);
      req.end(body, onSent);
    });
  }

  post(message: unknown, headers: Record<string, string> = {}, more: Sent = {}): Promise<Reply> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return this.send({ ...more, headers: { ...JSON_HEADERS, ...headers }, body });
  }

  /** A request of 2026-07-28 with its headers. A header '' is left out. */
  stateless(method: string, params: Message = {}, headers: Record<string, string> = {}, more: Sent = {}) {
    const name = params.name ?? params.uri;
    const all = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const _meta = params._meta === undefined ? META : params._meta;
    return this.post({ jsonrpc: '2.0', id: ++this.#id, method, params: { ...params, _meta } }, sent, more);
  }

  call(name: string, args: Message = {}, more: Sent = {}) {
    return this.stateless('tools/call', { name, arguments: args }, {}, more);
  }

  async session(headers: Record<string, string> = {}, version = '2025-11-25'): Promise<SessionWire> {
    const reply = await this.initialize(headers, version);
    if (reply.status !== 200) throw new Error(`initialize: ${reply.status} ${reply.text}`);
    const id = reply.headers['mcp-session-id'] as string;
    const session = new SessionWire(this, { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': version });
    await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return session;
  }

  initialize(headers: Record<string, string> = {}, version = '2025-11-25') {
    return this.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeOf(version) }, headers);
  }

  /** Writes raw bytes to a connection of its own, and resolves with all that comes back until it ends. */
  async raw(...chunks: string[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    for (const chunk of chunks) socket.write(chunk);
    await once(socket, 'close');
    return received;
  }
}

/** A session of 2025-11-25 or 2025-06-18. */
export class SessionWire {
  #id = 0;

  constructor(
    readonly wire: HttpWire,
    readonly headers: Record<string, string>,
  ) {}

  get id(): string {
    return this.headers['mcp-session-id']!;
  }

  post(message: unknown, more: Sent = {}): Promise<Reply> {
    return this.wire.post(message, { ...this.headers, ...more.headers }, more);
  }

  request(method: string, params?: unknown, more: Sent = {}): Promise<Reply> {
    return this.post({ jsonrpc: '2.0', id: ++this.#id, method, params }, more);
  }

  call(name: string, args: Message = {}, more: Sent & { meta?: Message } = {}): Promise<Reply> {
    return this.request('tools/call', { name, arguments: args, ...(more.meta && { _meta: more.meta }) }, more);
  }

  /** Opens a stream by GET: the one of the session, or what comes after an event. */
  listen(lastEventId?: string): OpenStream {
    const events: WireEvent[] = [];
    const stopping = new AbortController();
    const more = { ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    const reply = this.wire.send({
      method: 'GET',
      headers: { ...this.headers, accept: 'text/event-stream', ...more },
      signal: stopping.signal,
      onEvent: (event) => events.push(event),
    });
    reply.catch(() => {});
    return { events, reply, stop: () => stopping.abort() };
  }
}

export interface OpenStream {
  readonly events: WireEvent[];
  readonly reply: Promise<Reply>;
  stop(): void;
}

function readEvent(block: string): WireEvent | undefined {
  if (block.startsWith(':')) return undefined;
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.split(':', 1)[0]!, line.replace(/^\w+: ?/, '')]),
  );
  const { id, retry, data } = fields;
  return {
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry }),
    ...(data && { message: JSON.parse(data) }),
  };
}

/** Runs with a server that is closed afterwards. */
export async function withHttp(options: HttpOptions, run: (wire: HttpWire) => Promise<void>): Promise<void> {
  const wire = new HttpWire();
  wire.served = await serveHttp(wire.mcp, options);
  try {
    await run(wire);
  } finally {
    await wire.served.close(0);
  }
}
