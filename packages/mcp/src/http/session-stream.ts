import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EventLog } from './event-log.js';
import { EventStream } from './event-stream.js';
import type { HttpSettings } from './http-options.js';

/** What the streams of a session share. */
export interface StreamServices {
  readonly log: EventLog;
  readonly settings: HttpSettings;
  /** Whether the client's version knows events without data, which begin a stream (2025-11-25). */
  readonly hasPriming: boolean;
}

/**
 * One stream of a session: that of a request, or the one for all else. It outlives its HTTP response: what is sent
 * meanwhile is kept, and sent when the client comes back with `Last-Event-ID`.
 */
export class SessionStream {
  readonly id: string;
  readonly #services: StreamServices;
  #stream: EventStream | undefined;
  #res: ServerResponse | undefined;
  #isDone = false;

  constructor(id: string, services: StreamServices) {
    this.id = id;
    this.#services = services;
  }

  get isConnected(): boolean {
    return this.#stream !== undefined;
  }

  /** Whether its last message has been sent. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Sends to this response from here on, first what was missed. @param lastEventId undefined: the stream begins */
  connect(res: ServerResponse, lastEventId?: string, headers?: OutgoingHttpHeaders): void {
    const { log, settings, hasPriming } = this.#services;
    const stream = new EventStream(res, settings, headers);
    this.#stream = stream;
    this.#res = res;
    res.once('close', () => {
      if (this.#res === res) this.#stream = undefined;
    });
    if (lastEventId !== undefined) for (const event of log.after(lastEventId)) stream.send(event.json, event.id);
    else if (hasPriming) stream.send('', log.add(this.id, ''), settings.retryMs);
    if (this.#isDone) stream.end();
  }

  send(json: string): void {
    const id = this.#services.log.add(this.id, json);
    this.#stream?.send(json, id);
  }

  /** Sends the last message, if any, and ends the stream. */
  finish(json?: string): void {
    if (json !== undefined) this.send(json);
    this.#isDone = true;
    this.#stream?.end();
  }

  /** Ends the response; the stream continues when the client comes back. */
  disconnect(): void {
    this.#stream?.end();
  }
}
