import type { ServerResponse } from 'node:http';
import type { HttpResponse, Outlet, ResponseProblem } from '../core/outlet.js';
import { EventStream } from './event-stream.js';
import { respondWithJson } from './exchange.js';
import type { HttpSettings } from './http-options.js';
import type { SessionStream } from './session-stream.js';

/** What a request needs of its session. */
export interface RequestSession {
  readonly settings: HttpSettings;
  /** Makes a stream that the client can resume. */
  openStream(): SessionStream;
  /** Ends a stream that gets no response. */
  abandon(stream: SessionStream): void;
  /** Something has happened in the session. */
  touch(): void;
}

/**
 * The HTTP side of one request of a session. The response is JSON while nothing else was sent; otherwise, and for a
 * request that takes longer, it is a stream that the client can resume. A client that goes away does not cancel it.
 */
export class SessionRequest implements Outlet {
  readonly #res: ServerResponse;
  readonly #session: RequestSession;
  #stream: SessionStream | undefined;
  /** Opens a stream for a request that takes longer. */
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  constructor(res: ServerResponse, session: RequestSession) {
    this.#res = res;
    this.#session = session;
  }

  /** The request has begun: a stream is opened if it takes longer. */
  wait(): void {
    if (this.#isDone || this.#stream !== undefined) return;
    const { streamAfterMs } = this.#session.settings;
    if (streamAfterMs !== Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.begin(), streamAfterMs);
  }

  send(json: string): void {
    this.begin().send(json);
  }

  respond(json: string, _problem?: ResponseProblem, http?: HttpResponse): void {
    this.#end();
    if (this.#stream) this.#stream.finish(json);
    else respondWithJson(this.#res, http?.status ?? 200, json, http?.headers);
  }

  abandon(): void {
    this.#end();
    if (this.#stream) this.#session.abandon(this.#stream);
    // Without an event the client has nothing to come back to.
    else if (!this.#res.destroyed) new EventStream(this.#res, this.#session.settings).end();
  }

  #end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#session.touch();
  }

  /** The stream of the request, which is opened the first time. */
  begin(): SessionStream {
    if (this.#stream) return this.#stream;
    clearTimeout(this.#timer);
    const stream = this.#session.openStream();
    this.#stream = stream;
    if (!this.#res.destroyed) stream.connect(this.#res);
    return stream;
  }
}
