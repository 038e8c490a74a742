import type { ServerResponse } from 'node:http';
import type { HttpResponse, Outlet, ResponseProblem } from '../core/outlet.js';
import { EventStream } from './event-stream.js';
import { respondWithJson } from './exchange.js';
import type { HttpSettings } from './http-options.js';
import type { SessionStream } from './session-stream.js';

/** The part of a session that its requests use. */
export interface RequestSession {
  readonly settings: HttpSettings;
  /** Makes a stream that the client can resume. */
  openStream(): SessionStream;
  /** Ends a stream without a response. */
  abandon(stream: SessionStream): void;
  /** Records activity in the session. */
  touch(): void;
}

/**
 * The HTTP side of one request of a session. The response is JSON if it is the only message and comes within
 * `streamAfterMs`. Otherwise it is a stream that the client can resume. The request continues if its client disconnects.
 */
export class SessionRequest implements Outlet {
  readonly #res: ServerResponse;
  readonly #session: RequestSession;
  #stream: SessionStream | undefined;
  /** Opens the stream after `streamAfterMs`. */
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  constructor(res: ServerResponse, session: RequestSession) {
    this.#res = res;
    this.#session = session;
  }

  /** Opens a stream if the request is not answered within `streamAfterMs`. */
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
    // A stream without any event: the client has nothing to resume.
    else if (!this.#res.destroyed) new EventStream(this.#res, this.#session.settings).end();
  }

  #end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#session.touch();
  }

  /** The stream of the request, which the first call opens. */
  begin(): SessionStream {
    if (this.#stream) return this.#stream;
    clearTimeout(this.#timer);
    const stream = this.#session.openStream();
    this.#stream = stream;
    if (!this.#res.destroyed) stream.connect(this.#res);
    return stream;
  }
}
