import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** In milliseconds. */
  readonly keepAliveMs: number;
  /** In bytes. */
  readonly maxUnreadBytes: number;
}

/** A response that is a stream of server-sent events. */
export class EventStream {
  readonly #res: ServerResponse;
  readonly #maxUnreadBytes: number;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(res: ServerResponse, { keepAliveMs, maxUnreadBytes }: EventStreamOptions, headers?: OutgoingHttpHeaders) {
    this.#res = res;
    this.#maxUnreadBytes = maxUnreadBytes;
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    });
    res.flushHeaders();
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), keepAliveMs).unref();
    res.once('close', () => clearInterval(this.#keepAlive));
  }

  /** @param json one message, or '' for none @param id of the event @param retryMs when to come back */
  send(json: string, id?: string, retryMs?: number): void {
    const name = json === '' ? '' : 'event: message\n';
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    const retryLine = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.#write(`${name}${idLine}${retryLine}data: ${json}\n\n`);
  }

  end(): void {
    if (!this.#res.writableEnded) this.#res.end();
  }

  /** A client that reads too slowly loses the stream. */
  #write(text: string): void {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    this.#res.write(text);
    if (this.#res.writableLength > this.#maxUnreadBytes) this.#res.destroy();
  }
}
