import type { ServerResponse } from 'node:http';
import type { EventLog } from './event-log.js';
import { EventStream } from './event-stream.js';
import type { HttpSettings } from './http-options.js';

/** The part of a session that its streams use. */
export interface StreamServices {
  readonly log: EventLog;
  readonly settings: HttpSettings;
  /** Whether the client's version allows an event without a message, which begins a stream (since 2025-11-25). */
  readonly hasPriming: boolean;
  /** Called when the response has ended and the stream waits for its client to reconnect. */
  onDisconnect(): void;
  /** Called when the stream has sent its last message. */
  onFinish(stream: SessionStream): void;
}

/**
 * One stream of a session: for a request, or for the messages that belong to no request. It outlives its HTTP response:
 * events are kept, and sent when the client reconnects with `Last-Event-ID`.
 */
export class SessionStream {
  readonly id: string;
  readonly #services: StreamServices;
  readonly #pollAfterMs: number;
  #stream: EventStream | undefined;
  #pollTimer: NodeJS.Timeout | undefined;

  /** @param pollAfterMs the response is ended after this time, and the client polls for the rest; 0: never */
  constructor(id: string, services: StreamServices, pollAfterMs: number) {
    this.id = id;
    this.#services = services;
    this.#pollAfterMs = pollAfterMs;
  }

  get isConnected(): boolean {
    return this.#stream !== undefined;
  }

  /**
   * Continues the stream on this response, beginning with the missed events. Ends the response that the stream had before.
   * @param lastEventId undefined if the stream begins
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
    // Official clients forget the id that they came with, so they need another one to reconnect again.
    if (hasPriming) stream.send('', log.add(this.id, ''), settings.retryMs);
    else if (missed.length === 0) stream.flush();
    // Clients of earlier versions have no event id from which they could continue.
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

  /** Ends the response. The stream continues when the client reconnects, which it should do after `retryMs`. */
  disconnect(retryMs?: number): void {
    if (retryMs !== undefined) this.#stream?.sendRetry(retryMs);
    this.#stream?.end();
    if (this.#stream) this.#setDisconnected();
  }

  #setDisconnected(): void {
    this.#stream = undefined;
    clearTimeout(this.#pollTimer);
    this.#services.onDisconnect();
  }
}
