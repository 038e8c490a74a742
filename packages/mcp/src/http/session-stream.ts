import type { ServerResponse } from 'node:http';
import type { EventLog } from './event-log.js';
import { EventStream } from './event-stream.js';
import type { HttpSettings } from './http-options.js';

/** What a stream needs of its session. */
export interface StreamServices {
  readonly log: EventLog;
  readonly settings: HttpSettings;
  /** Whether the client's version knows events without a message, which begin a stream (2025-11-25). */
  readonly hasPriming: boolean;
  /** The stream has lost its response: it waits for its client to come back. */
  onDisconnect(): void;
  /** Nothing more is sent. */
  onFinish(stream: SessionStream): void;
}

/**
 * One stream of a session: that of a request, or the one for all else. It outlives its HTTP response: what is sent
 * meanwhile is kept, and sent when the client comes back with `Last-Event-ID`.
 */
export class SessionStream {
  readonly id: string;
  readonly #services: StreamServices;
  readonly #pollAfterMs: number;
  #stream: EventStream | undefined;
  #pollTimer: NodeJS.Timeout | undefined;

  /** @param pollAfterMs a response is ended after this time, and the client comes back for the rest; 0: never */
  constructor(id: string, services: StreamServices, pollAfterMs: number) {
    this.id = id;
    this.#services = services;
    this.#pollAfterMs = pollAfterMs;
  }

  get isConnected(): boolean {
    return this.#stream !== undefined;
  }

  /**
   * Sends to this response from here on, first what was missed; a response that the stream had before is ended.
   * @param lastEventId undefined: the stream begins
   */
  connect(res: ServerResponse, lastEventId?: string): void {
    const { log, settings, hasPriming } = this.#services;
    this.disconnect();
    const stream = new EventStream(res, settings);
    this.#stream = stream;
    res.once('close', () => {
      if (this.#stream === stream) this.#setDisconnected();
    });
    const missed = lastEventId === undefined ? [] : log.after(lastEventId);
    for (const { json, id } of missed) stream.send(json, id);
    // Official clients forget the id that they came with: without another one they could not come back again.
    if (hasPriming) stream.send('', log.add(this.id, ''), settings.retryMs);
    else if (missed.length === 0) stream.flush();
    // Other clients do not know where to continue, or that they should.
    if (this.#pollAfterMs > 0 && hasPriming) this.#pollTimer = setTimeout(() => this.disconnect(), this.#pollAfterMs);
  }

  send(json: string): void {
    const id = this.#services.log.add(this.id, json);
    this.#stream?.send(json, id);
  }

  /** Sends the last message, if any, and ends the stream. */
  finish(json?: string): void {
    if (json !== undefined) this.send(json);
    this.disconnect();
    this.#services.onFinish(this);
  }

  /** Ends the response; the stream continues when the client comes back. */
  disconnect(): void {
    this.#stream?.end();
    if (this.#stream) this.#setDisconnected();
  }

  #setDisconnected(): void {
    this.#stream = undefined;
    clearTimeout(this.#pollTimer);
    this.#services.onDisconnect();
  }
}
