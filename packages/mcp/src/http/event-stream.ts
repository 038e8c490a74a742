import type { ServerResponse } from 'node:http';

export interface EventStreamOptions {
  readonly keepAliveMs: number;
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
      // While data waits for the client, the connection needs no comment to stay alive.
      if (res.writableLength === 0) this.#write(': keepalive\n\n');
    }, keepAliveMs).unref();
    res.once('close', () => clearInterval(this.#keepAlive));
    // A write to a closed connection emits 'error' before 'close', which is handled above.
    res.on('error', () => {});
  }

  /** Sends the head immediately. Otherwise it is sent with the first event. */
  flush(): void {
    this.#res.flushHeaders();
  }

  /** @param json one message, or '' for none @param id the event's id @param retryMs how long the client waits before it reconnects */
  send(json: string, id?: string, retryMs?: number): void {
    const name = json === '' ? '' : 'event: message\n';
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    const retryLine = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.#write(`${name}${idLine}${retryLine}data: ${json}\n\n`);
  }

  /** Tells the client how long to wait before it reconnects. Sends no event, so that clients of every version accept it. */
  sendRetry(retryMs: number): void {
    this.#write(`retry: ${retryMs}\n\n`);
  }

  end(): void {
    clearInterval(this.#keepAlive);
    if (!this.#res.writableEnded && !this.#res.destroyed) this.#res.end();
  }

  /** Ends the stream of a client that reads too slowly. Only earlier data counts as unread, so one large message arrives. */
  #write(text: string): void {
    if (this.#res.writableEnded || this.#res.destroyed) return;
    if (this.#res.writableLength > this.#maxUnreadBytes) this.#res.destroy();
    else this.#res.write(text);
  }
}
