import { PassThrough } from 'node:stream';
import { type Handlers, McpServer, type McpServerOptions, type StdioOptions, serveStdio } from '@mortise/mcp';
import { onTestFinished } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';

/** A message as it is on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
export type Wire = any;

/** The `_meta` of a request of 2026-07-28. */
export const declaration = (more: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more,
});

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { roots: {} },
  clientInfo: { name: 'test', version: '1' },
};

/** A server over stdio in this process; it is closed when the test has finished. */
export class StdioWire {
  readonly received: Wire[] = [];
  /** What was written together. */
  readonly chunks: Wire[][] = [];
  readonly server: McpServer;
  readonly served: ReturnType<typeof serveStdio>;
  readonly #input = new PassThrough();

  constructor(handlers: Handlers, options: Partial<McpServerOptions> = {}, stdio: StdioOptions = {}) {
    const output = new PassThrough();
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop()!;
      const messages = lines.map((line) => JSON.parse(line));
      this.received.push(...messages);
      this.chunks.push(messages);
    });
    this.server = new McpServer({
      info: { name: 'test', version: '1' },
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
      handlers,
      ...options,
    });
    this.served = serveStdio(this.server, { input: this.#input, output, cancelMs: 100, ...stdio });
    onTestFinished(() => this.served.close(0));
  }

  line(text: string): void {
    this.#input.write(`${text}\n`);
  }

  /** Ends the input. */
  end(): void {
    this.#input.end();
  }

  send(message: object): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  find(matches: (message: Wire) => boolean): Promise<Wire> {
    return waitFor(() => this.received.find(matches));
  }

  /** The response to a request. */
  response(id: number | string): Promise<Wire> {
    return this.find((message) => message.id === id && message.method === undefined);
  }

  request(id: number | string, method: string, params: object = {}): Promise<Wire> {
    this.send({ id, method, params });
    return this.response(id);
  }

  async initialize(): Promise<void> {
    await this.request('initialize', 'initialize', INITIALIZE);
    this.send({ method: 'notifications/initialized' });
  }
}
