import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type ServedHttp, serveHttp } from '../../../src/front/mcp/serve-http.js';
import type { SettingsOverrides } from '../../../src/settings/load.js';
import { recordLog, TestHost } from './test-host.js';
import { INITIALIZE, modern, type Wire } from './wire.js';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** The JSON body, or each message of the event stream. */
  messages: Wire[];
  /** The last message: a response comes last. */
  body: Wire;
}

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Ends the request from the client's side. */
  signal?: AbortSignal;
  onMessage?(message: Wire): void;
}

/** A server with a test host on a free port of loopback, spoken to by raw requests. */
export class HttpWire {
  #id = 0;

  private constructor(
    readonly host: TestHost,
    readonly served: ServedHttp,
    readonly log: ReturnType<typeof recordLog>,
  ) {}

  static async open(settings: SettingsOverrides = {}): Promise<HttpWire> {
    const host = new TestHost(settings);
    const log = recordLog();
    return new HttpWire(host, await serveHttp(host, { log }), log);
  }

  send({ method = 'POST', path = '/mcp', headers = {}, body, signal, onMessage }: Sent): Promise<Reply> {
    const { hostname, port } = new URL(this.served.url);
    const options = { hostname, port, path, method, headers, ...(signal && { signal }), agent: false };
    return new Promise((resolve, reject) => {
      const req = httpRequest(options, (res) => {
        const messages: Wire[] = [];
        const isStream = res.headers['content-type']?.includes('event-stream');
        let rest = '';
        res.on('data', (chunk: Buffer) => {
          rest += chunk.toString();
          if (!isStream) return;
          const events = rest.split('\n\n');
          rest = events.pop()!;
          for (const event of events) {
            const data = /^data: (.*)$/m.exec(event)?.[1];
            if (!data) continue;
            messages.push(JSON.parse(data));
            onMessage?.(messages.at(-1));
          }
        });
        res.on('error', reject);
        res.on('end', () => {
          if (!isStream && rest !== '') messages.push(JSON.parse(rest));
          resolve({ status: res.statusCode!, headers: res.headers, messages, body: messages.at(-1) });
        });
      });
      req.on('error', reject);
      req.end(body);
    });
  }

  /** Posts one JSON value, with the headers that every client sends. */
  post(message: unknown, headers: Record<string, string> = {}, more: Partial<Sent> = {}): Promise<Reply> {
    return this.send({
      ...more,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
  }

  /** A 2026-07-28 request with its headers. */
  modern(method: string, params: Record<string, unknown> = {}, headers = {}, more: Partial<Sent> = {}): Promise<Reply> {
    const name = params.name ?? params.uri;
    const standard = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    };
    const message = { jsonrpc: '2.0', id: ++this.#id, method, params: modern(params) };
    return this.post(message, { ...standard, ...headers }, more);
  }

  async session(headers: Record<string, string> = {}): Promise<SessionWire> {
    const reply = await this.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE }, headers);
    if (reply.status !== 200) throw new Error(`initialize: ${reply.status} ${JSON.stringify(reply.body)}`);
    const session = new SessionWire(this, { ...headers, 'mcp-session-id': reply.headers['mcp-session-id'] as string });
    await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return session;
  }
}

/** A 2025-11-25 session. */
export class SessionWire {
  #id = 0;

  constructor(
    readonly wire: HttpWire,
    readonly headers: Record<string, string>,
  ) {}

  post(message: unknown, more: Partial<Sent> = {}): Promise<Reply> {
    return this.wire.post(message, this.headers, more);
  }

  request(method: string, params?: unknown, more: Partial<Sent> = {}): Promise<Reply> {
    return this.post({ jsonrpc: '2.0', id: ++this.#id, method, params }, more);
  }

  /** Opens the stream of the session; the messages arrive in the returned array. */
  listen(): { received: Wire[]; reply: Promise<Reply>; stop(): void } {
    const received: Wire[] = [];
    const stopping = new AbortController();
    const reply = this.wire.send({
      method: 'GET',
      headers: { ...this.headers, accept: 'text/event-stream' },
      signal: stopping.signal,
      onMessage: (message) => received.push(message),
    });
    return { received, reply, stop: () => stopping.abort() };
  }
}

/** Runs with a server that is closed afterwards. */
export async function withHttp(settings: SettingsOverrides, run: (wire: HttpWire, host: TestHost) => Promise<void>) {
  const wire = await HttpWire.open(settings);
  try {
    await run(wire, wire.host);
  } finally {
    await wire.served.close();
  }
}
