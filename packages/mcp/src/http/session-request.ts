import type { ServerResponse } from 'node:http';
import type { Outlet } from '../core/outlet.js';
import { respondWithJson } from './exchange.js';
import type { HttpSettings } from './http-options.js';
import type { SessionStream } from './session-stream.js';

/**
 * The HTTP side of one request of a session. The response is JSON while nothing else was sent; otherwise, and for a
 * request that takes longer, it is a stream that the client can resume. A client that goes away does not cancel it.
 */
export class SessionRequest implements Outlet {
  readonly #res: ServerResponse;
  readonly #openStream: () => SessionStream;
  readonly #settings: HttpSettings;
  #stream: SessionStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  /** @param openStream makes the stream when there is something to send */
  constructor(res: ServerResponse, settings: HttpSettings, openStream: () => SessionStream) {
    this.#res = res;
    this.#settings = settings;
    this.#openStream = openStream;
  }

  /** The request has begun: a stream is opened if it takes longer. */
  wait(): void {
    if (!this.#isDone && this.#stream === undefined) {
      this.#timer = setTimeout(() => this.#begin(), this.#settings.streamAfterMs);
    }
  }

  send(json: string): void {
    this.#begin().send(json);
  }

  respond(json: string): void {
    this.#end();
    if (this.#stream) this.#stream.finish(json);
    else respondWithJson(this.#res, 200, json);
  }

  abandon(): void {
    this.#end();
    if (this.#stream) this.#stream.finish();
    else if (!this.#res.headersSent) this.#begin().finish();
  }

  #end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }

  #begin(): SessionStream {
    if (this.#stream) return this.#stream;
    clearTimeout(this.#timer);
    this.#stream = this.#openStream();
    if (!this.#res.destroyed) this.#stream.connect(this.#res);
    const { pollAfterMs } = this.#settings;
    if (pollAfterMs > 0) this.#timer = setTimeout(() => this.#stream?.disconnect(), pollAfterMs);
    return this.#stream;
  }
}
