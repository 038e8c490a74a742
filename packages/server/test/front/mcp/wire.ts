import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { checkWire } from '../../../../../test/support/wire-check.js';
import { type ServedStdio, type ServeStdioOptions, serveStdio } from '../../../src/front/mcp/serve-stdio.js';
import { recordLog, TestHost } from './test-host.js';

/** A JSON-RPC message as it stood on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
export type Wire = any;

export const META_2026 = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {}, roots: {} },
};

/** The params of a 2026-07-28 request. */
export function modern(params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) {
  return { ...params, _meta: { ...META_2026, ...meta, ...(params._meta as object) } };
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {}, sampling: {}, roots: {} },
  clientInfo: { name: 'test', version: '1' },
};

function onEachLine(stream: PassThrough, take: (line: string) => void): void {
  const decoder = new StringDecoder();
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) take(line);
  });
}

/** Speaks raw lines with a server over stdio, in this process. What the server writes is checked against the schema. */
export class StdioWire {
  readonly received: Wire[] = [];
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly log = recordLog();
  readonly served: ServedStdio;
  readonly #check = checkWire();
  #id = 0;

  constructor(
    readonly host: TestHost,
    options: Partial<ServeStdioOptions> = {},
  ) {
    onEachLine(this.input, (line) => this.#check.sent(line));
    onEachLine(this.output, (line) => {
      this.#check.received(line);
      this.received.push(JSON.parse(line));
    });
    this.served = serveStdio(host, { log: this.log, input: this.input, output: this.output, ...options });
  }

  line(text: string): void {
    this.input.write(`${text}\n`);
  }

  notify(method: string, params?: unknown): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and returns its id. */
  start(method: string, params?: unknown): number {
    const id = ++this.#id;
    this.line(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  response(id: number): Promise<Wire> {
    return waitFor(() => this.received.find((one) => one.id === id && !('method' in one)));
  }

  request(method: string, params?: unknown): Promise<Wire> {
    return this.response(this.start(method, params));
  }

  /** Sends what is not a request of ours, and waits for whatever comes next. */
  async provoke(text: string): Promise<Wire> {
    const before = this.received.length;
    this.line(text);
    return waitFor(() => this.received[before]);
  }

  async initialize(params: object = INITIALIZE): Promise<Wire> {
    const response = await this.request('initialize', params);
    this.notify('notifications/initialized');
    return response;
  }

  notifications(method: string): Wire[] {
    return this.received.filter((one) => one.method === method);
  }

  async end(): Promise<void> {
    if (!this.input.writableEnded) this.input.end();
    await this.served.closed;
    if (!this.output.writableEnded) {
      this.output.end();
      await once(this.output, 'close').catch(() => undefined);
    }
  }
}

/** Runs a test on a wire that ends with it. */
export async function withWire(
  run: (wire: StdioWire, host: TestHost) => Promise<void>,
  wire = new StdioWire(new TestHost()),
): Promise<void> {
  try {
    await run(wire, wire.host);
  } finally {
    await wire.end();
  }
}

/** The text of a response to `tools/call`. */
export const textOf = (response: Wire): string => response.result.content[0].text;
