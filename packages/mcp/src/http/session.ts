import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Connection } from '../core/connection.js';
import type { McpServer } from '../core/mcp-server.js';
import type { Outlet } from '../core/outlet.js';
import type { RpcNotification, RpcRequest, RpcResponse } from '../json-rpc/messages.js';
import { EventLog } from './event-log.js';
import { EventStream } from './event-stream.js';
import { type Exchange, RETRY_LATER, refuse, respondWithJson, respondWithStatus } from './exchange.js';
import type { HttpSettings } from './http-options.js';
import { type RequestSession, SessionRequest } from './session-request.js';
import { SessionStream, type StreamServices } from './session-stream.js';

/** The id of the standalone stream, which is for messages that belong to no request. */
const STANDALONE = '0';
/** The first version whose clients accept events without a message. */
const PRIMING_SINCE = '2025-11-25';
/** The maximum number of streams of cancelled requests that are remembered. */
const MAX_CANCELLED = 100;
/** The outlet of messages that have no response. */
const NO_OUTLET: Outlet = { send() {}, respond() {}, abandon() {} };

/** The limit that refuses a session: that of its principal, or that of the whole server. */
export type FullFor = 'principal' | 'server';

/** One session of a client over HTTP, until 2025-11-25. */
export class Session implements RequestSession, StreamServices {
  readonly id: string;
  readonly principal: string;
  readonly sessionOwner: unknown;
  readonly settings: HttpSettings;
  readonly log: EventLog;
  /** The time of the last activity, on the clock of `performance.now()`. */
  lastUsedAt = performance.now();
  readonly #connection: Connection;
  /** The unfinished streams by id. */
  readonly #streams = new Map<string, SessionStream>();
  #lastStream = 0;
  /** The ids of the streams whose requests were cancelled last. */
  readonly #cancelled = new Set<string>();

  constructor(
    server: McpServer,
    { principal, authorization, sessionOwner }: Pick<Exchange, 'principal' | 'authorization' | 'sessionOwner'>,
    settings: HttpSettings,
  ) {
    this.principal = principal;
    this.sessionOwner = sessionOwner;
    this.settings = settings;
    this.id = settings.replica === '' ? randomUUID() : `${settings.replica}.${randomUUID()}`;
    this.log = new EventLog(settings);
    this.#connection = new Connection(server, {
      transport: 'http',
      generation: 'session',
      principal,
      authorization,
      sessionId: this.id,
      send: (json) => this.#streams.get(STANDALONE)?.send(json),
    });
  }

  /** The authorization of the latest request. It decides which announcements the session gets. */
  get authorization(): unknown {
    return this.#connection.authorization;
  }

  set authorization(value: unknown) {
    this.#connection.authorization = value;
  }

  /** Whether all requests are answered and no stream is open. */
  get isIdle(): boolean {
    if (this.#connection.isBusy) return false;
    for (const stream of this.#streams.values()) if (stream.isConnected) return false;
    return true;
  }

  get hasPriming(): boolean {
    return this.#connection.declaration.protocolVersion >= PRIMING_SINCE;
  }

  /**
   * Runs `initialize`.
   * @param register called if `initialize` succeeds; adds the session to the table, or returns the limit that refuses it
   */
  initialize(request: RpcRequest, res: ServerResponse, register: () => FullFor | undefined): void {
    this.#connection.receive(request, {
      ...NO_OUTLET,
      respond: (json, problem) => {
        if (problem) respondWithJson(res, 400, json);
        else {
          const fullFor = register();
          if (!fullFor) return respondWithJson(res, 200, json, { 'mcp-session-id': this.id });
          this.#refuseForLackOfRoom(request, res, fullFor);
        }
        this.#connection.close();
      },
    });
  }

  /** Handles a request that arrived in a POST. */
  receive(request: RpcRequest, res: ServerResponse): void {
    this.touch();
    const outlet = new SessionRequest(res, this);
    this.#connection.receive(request, outlet);
    outlet.wait();
  }

  /** Handles a message that has no response. */
  accept(message: RpcNotification | RpcResponse, res: ServerResponse): void {
    this.touch();
    this.#connection.receive(message, NO_OUTLET);
    respondWithStatus(res, 202);
  }

  /** Whether the stream that a GET asks for is open already. @param lastEventId undefined for the standalone stream */
  hasStream(lastEventId: string | undefined): boolean {
    const id = lastEventId === undefined ? STANDALONE : this.log.streamOf(lastEventId);
    return this.#streams.get(id ?? '')?.isConnected ?? false;
  }

  /** Opens the standalone stream (GET). */
  listen(res: ServerResponse): void {
    const stream = this.#streams.get(STANDALONE) ?? new SessionStream(STANDALONE, this, 0);
    if (stream.isConnected) {
      refuse(res, 409, 'The session has an open stream already: only one is allowed.');
      return;
    }
    this.#streams.set(STANDALONE, stream);
    stream.connect(res);
  }

  /** Ends the response of the standalone stream. */
  stopListening(): void {
    this.#streams.get(STANDALONE)?.disconnect(this.settings.retryMs);
  }

  /** Sends the events of a stream that the client has missed, and continues the stream. */
  resume(lastEventId: string, res: ServerResponse): void {
    const stream = this.#streams.get(this.log.streamOf(lastEventId) ?? '');
    if (stream) stream.connect(res, lastEventId);
    else this.#sendRest(lastEventId, res);
  }

  touch(): void {
    this.lastUsedAt = performance.now();
  }

  onDisconnect(): void {
    this.touch();
  }

  onFinish(stream: SessionStream): void {
    this.#streams.delete(stream.id);
  }

  openStream(): SessionStream {
    this.#lastStream += 1;
    const stream = new SessionStream(String(this.#lastStream), this, this.settings.pollAfterMs);
    this.#streams.set(stream.id, stream);
    return stream;
  }

  abandon(stream: SessionStream): void {
    this.#cancelled.add(stream.id);
    if (this.#cancelled.size > MAX_CANCELLED) this.#cancelled.delete(this.#cancelled.values().next().value!);
    stream.finish();
  }

  close(): void {
    this.#connection.close();
    for (const stream of this.#streams.values()) stream.finish();
  }

  /** Sends the kept events of a finished stream. */
  #sendRest(lastEventId: string, res: ServerResponse): void {
    const missed = this.log.after(lastEventId);
    if (missed.length === 0 && this.#cancelled.has(this.log.streamOf(lastEventId) ?? '')) {
      // Official clients understand 405 as the end of the stream, and any other status as an error.
      refuse(res, 405, 'The request of this stream was cancelled: nothing more is sent.', {
        headers: { allow: 'POST, DELETE' },
      });
      return;
    }
    if (missed.length === 0) {
      refuse(res, 400, 'Last-Event-ID does not name a stream of this session that has more to send.');
      return;
    }
    const stream = new EventStream(res, this.settings);
    for (const { json, id } of missed) stream.send(json, id);
    stream.end();
  }

  #refuseForLackOfRoom({ id }: RpcRequest, res: ServerResponse, fullFor: FullFor): void {
    const { onRefused, optionNames } = this.settings;
    const isServer = fullFor === 'server';
    const status = isServer ? 503 : 429;
    const text = `Too many active sessions${isServer ? ` (${optionNames.maxSessions})` : ' of this caller'}.`;
    onRefused('TOO_MANY_SESSIONS', status, res.req, this.authorization);
    refuse(res, status, text, { id, headers: RETRY_LATER });
  }
}
