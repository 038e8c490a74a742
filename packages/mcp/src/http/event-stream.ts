import type { ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** In milliseconds. */
  readonly keepAliveMs: number;
  /** In bytes. */
  readonly maxUnreadBytes: number;
}

const HEAD = [
  ...['content-type', 'text/event-stream'],
  ...['cache-control', 'no-cache, no-transform'],
  ...['x-accel-buffering', 'no'],
];

/** A response that is a stream of server-sent events. */
export class EventStream {
  readonly #res: ServerResponse;
  readonly #maxUnreadBytes: number;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(res: ServerResponse, { keepAliveMs, maxUnreadBytes }: EventStreamOptions) {
    this.#res = res;
    this.#maxUnreadBytes = maxUnreadBytes;
    res.writeHead(200, HEAD);
    this.#keepAlive = setInterval(() => {
      // What is not read yet keeps the connection alive.
      if (res.writableLength === 0) this.#write(': keepalive\n\n');
    }, keepAliveMs).unref();
    res.once('close', () => clearInterval(this.#keepAlive));
    // A write that meets the end of the connection: 'close' says so too.
    res.on('error', () => {});
  }

  /** Sends the head at once. Without it, the head goes with the first event. */
  flush(): void {
    this.#res.flushHeaders();
  }

  /** @param json one message, or '' for none @param id of the event @param retryMs when to come back */
  send(json: string, id?: string, retryMs?: number): void {
    const name = json === '' ? '' : 'event: message\n';
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    const retryLine = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.#write(`${name}${idLine}${retryLine}data: ${json}\n\n`);
  }

  end(): void {
    clearInterval(this.#keepAlive);
    if (!this.#res.writableEnded && !this.#res.destroyed) this.#res.end();
  }

  /** A client that reads too slowly loses the stream: what it had left unread counts, so that one large message arrives. */
  #write(text: string): void {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    if (this.#res.writableLength > this.#maxUnreadBytes) this.#res.destroy();
    else this.#res.write(text);
  }
}
