import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Connection } from '../core/connection.js';
import type { McpServer } from '../core/mcp-server.js';
import type { Inbound, RpcRequest } from '../json-rpc/messages.js';
import { EventLog } from './event-log.js';
import { refuse, respondWithJson } from './exchange.js';
import type { HttpSettings } from './http-options.js';
import { SessionRequest } from './session-request.js';
import { SessionStream } from './session-stream.js';

const STANDALONE = '0';
/** The first version whose clients know events without data. */
const PRIMING_SINCE = '2025-11-25';

/** One session of a client over HTTP, until 2025-11-25. */
export class Session {
  readonly id = randomUUID();
  readonly principal: string;
  readonly #connection: Connection;
  readonly #settings: HttpSettings;
  readonly #log: EventLog;
  /** The streams that the client can come back to, by id. */
  readonly #streams = new Map<string, SessionStream>();
  #lastStream = 0;

  constructor(server: McpServer, principal: string, settings: HttpSettings) {
    this.principal = principal;
    this.#settings = settings;
    this.#log = new EventLog(settings.maxBufferedBytes);
    this.#connection = new Connection(server, {
      transport: 'http',
      generation: 'session',
      principal,
      sessionId: this.id,
      send: (json) => this.#streams.get(STANDALONE)?.send(json),
    });
  }

  /** Whether requests wait for their response. */
  get isBusy(): boolean {
    return this.#connection.isBusy;
  }

  /** Runs `initialize`. @param onOpen called before the response, if the session has begun */
  initialize(request: RpcRequest, res: ServerResponse, onOpen: () => void): void {
    this.#connection.receive(request, {
      send: () => {},
      abandon: () => {},
      respond: (json, problem) => {
        if (problem) {
          this.#connection.close();
          respondWithJson(res, 400, json);
        } else {
          onOpen();
          respondWithJson(res, 200, json, { 'mcp-session-id': this.id });
        }
      },
    });
  }

  /** Takes one message of a POST. */
  receive(message: Inbound, res: ServerResponse): void {
    const outlet = new SessionRequest(res, this.#settings, () => this.#openStream());
    this.#connection.receive(message, outlet);
    if (message.kind === 'request') outlet.wait();
    else res.writeHead(202).end();
  }

  /** Opens the stream for what belongs to no request (GET). */
  listen(res: ServerResponse): void {
    if (this.#streams.get(STANDALONE)?.isConnected) {
      refuse(res, 409, 'The session has an open stream already: only one is allowed.');
      return;
    }
    const stream = this.#streams.get(STANDALONE) ?? new SessionStream(STANDALONE, this.#services());
    this.#streams.set(STANDALONE, stream);
    stream.connect(res);
  }

  /** Sends what the client has missed of a stream, and continues it. */
  resume(lastEventId: string, res: ServerResponse): void {
    const stream = this.#streams.get(this.#log.streamOf(lastEventId) ?? '');
    if (stream === undefined) {
      refuse(res, 400, 'Last-Event-ID does not name an event of this session that is kept.');
      return;
    }
    stream.disconnect();
    stream.connect(res, lastEventId);
  }

  close(): void {
    this.#connection.close();
    for (const stream of this.#streams.values()) stream.finish();
    this.#streams.clear();
  }

  #openStream(): SessionStream {
    for (const [id, stream] of this.#streams) {
      if (this.#streams.size < MAX_STREAMS) break;
      if (stream.isDone) this.#streams.delete(id);
    }
    this.#lastStream += 1;
    const stream = new SessionStream(String(this.#lastStream), this.#services());
    this.#streams.set(stream.id, stream);
    return stream;
  }

  #services() {
    const hasPriming = this.#connection.declaration.protocolVersion >= PRIMING_SINCE;
    return { log: this.#log, settings: this.#settings, hasPriming };
  }
}

/** Streams that are answered are forgotten beyond so many. */
const MAX_STREAMS = 100;
