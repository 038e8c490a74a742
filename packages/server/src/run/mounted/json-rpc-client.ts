import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { RPC_CODES } from '@mortise/mcp';
import { IdMap } from '@mortise/mcp/util';
import type { ClientCapabilities, JsonObject } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { MESSAGE_CHARS_A_SECOND, MessageRateLimit } from '../../processes/rate-limits.js';
import { errorMessage } from '../../util/error-message.js';
import { estimateJsonSize } from '../../util/json-size.js';
import { SERVER } from '../../util/version.js';
import { CallAbandonedError } from '../shared/runner-errors.js';
import {
  httpAnswer,
  MissingResultError,
  RpcError,
  SESSION_NOT_FOUND,
  SessionExpiredError,
  withoutSdkOption,
} from './rpc-errors.js';

/** Receives the answer to a request. Either `onResult` or `onError` is called once, after `send` has returned. */
export interface ResponseHandler {
  onResult(result: JsonObject): void;
  /** @param error RpcError, MissingResultError, ProcessExitedError, SessionExpiredError, or after `cancel` CallAbandonedError */
  onError(error: Error): void;
  onProgress?(progress: JsonObject): void;
}

export interface SendOptions {
  /** With 2026-07-28: the capabilities of the client for which the request is made. */
  capabilities?: ClientCapabilities | undefined;
  /** Sent over HTTP only. */
  headers?: Record<string, string> | undefined;
  /** True to ask the server to report progress. Default: false. */
  wantsProgress?: boolean;
  /** The `_meta` of the client for which the request is made. */
  meta?: JsonObject | undefined;
}

export interface JsonRpcClientEvents {
  onNotification(method: string, params: JsonObject): void;
  /** With 2025-11-25: answers a request of the server. @throws RpcError, or an Error whose message the server gets */
  onRequest(method: string, params: JsonObject): Promise<object>;
  /** Called if the server sends more unrequested messages than the rate limit allows. */
  onRateExceeded(): void;
  readonly redactor: Pick<Redactor, 'text'>;
  /** Called if a request or its answer was lost, so that the connection cannot be relied on. */
  onLost(): void;
}

interface Pending {
  readonly handler: ResponseHandler;
  /** With 2026-07-28 over HTTP: ends the request. */
  readonly stream: AbortController | undefined;
}

type Message = Parameters<Transport['send']>[0];
type Incoming = { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown };

/** The ids are larger than those of the SDK's client, which uses the same transport. */
const FIRST_ID = 1_000_000_000;
/** The maximum length of an HTTP error page in a message. */
const MAX_MESSAGE_CHARS = 500;
/** The requests of the server that a caller answers. The SDK answers the others. */
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/**
 * Sends requests to a server on the transport of the SDK's client, after that client has connected. Results are passed
 * on as the server sent them, because our own contract checks each of their parts.
 */
export class JsonRpcClient {
  readonly isModern: boolean;
  readonly #transport: Transport;
  readonly #events: JsonRpcClientEvents;
  /** The `_meta` of a request for a client that cannot be asked anything. */
  readonly #envelope: object;
  readonly #rateLimit = new MessageRateLimit();
  #pending = new IdMap<Pending>();
  #nextId = FIRST_ID;

  constructor(client: Client, transport: Transport, events: JsonRpcClientEvents) {
    this.#transport = transport;
    this.#events = events;
    this.#envelope = {
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion() ?? '',
      [CLIENT_INFO_META_KEY]: SERVER,
      [CLIENT_CAPABILITIES_META_KEY]: {},
      // Mortise filters log lines for each client, so it asks the server for all of them.
      [LOG_LEVEL_META_KEY]: 'debug',
    };
    this.isModern = client.getProtocolEra() === 'modern';
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (!this.#take(message as Incoming)) onmessage?.(message, extra);
    };
  }

  /** Sends a request. @returns the number for {@link cancel} */
  send(method: string, params: JsonObject, handler: ResponseHandler, options: SendOptions = {}): number {
    const id = this.#nextId++;
    const { capabilities, headers, wantsProgress = false, meta: callMeta } = options;
    const stream = this.isModern && this.#transport.hasPerRequestStream ? new AbortController() : undefined;
    this.#pending.set(id, { handler, stream });
    const token = wantsProgress ? { progressToken: id } : undefined;
    const meta = this.#meta(capabilities, callMeta ? { ...callMeta, ...token } : token);
    const message = { jsonrpc: '2.0', id, method, params: meta ? { ...params, _meta: meta } : params };
    const onLost = (error: Error) => this.#lose(id, error);
    const http = this.#transport.hasPerRequestStream
      ? {
          ...(headers && { headers }),
          ...(stream && { requestSignal: stream.signal }),
          onRequestStreamEnd: () => onLost(new TypeError('it ended its answer before the result')),
        }
      : undefined;
    this.#transport.send(message as Message, http).catch(onLost);
    return id;
  }

  /** Cancels a request and tells the server the reason. Does nothing if the request has ended. */
  cancel(id: number, reason = 'The call has ended'): void {
    const pending = this.#remove(id);
    if (!pending) return;
    if (pending.stream) pending.stream.abort();
    else this.#post({ method: 'notifications/cancelled', params: { requestId: id, reason } });
    pending.handler.onError(new CallAbandonedError(reason));
  }

  /** Sends a request and waits for its result. @throws the error that {@link ResponseHandler.onError} would get */
  async request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<JsonObject>((onResult, onError) => {
        const id = this.send(method, params, { onResult, onError });
        timer = setTimeout(() => this.cancel(id, `it did not answer within ${timeoutMs} ms`), timeoutMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** With 2025-11-25: tells the server about a change at the client. */
  notify(method: string): void {
    if (!this.isModern) this.#post({ method });
  }

  /** Asks whether the server still answers. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    try {
      await this.request(this.isModern ? 'server/discover' : 'ping', {}, timeoutMs);
      return true;
    } catch (error) {
      return error instanceof RpcError;
    }
  }

  /** Ends all pending requests with this error. */
  end(error: Error): void {
    const pending = this.#pending.values();
    this.#pending = new IdMap();
    for (const { handler } of pending) handler.onError(error);
  }

  /** Returns the `_meta` of a request. With 2026-07-28 it includes the members that every request must have. */
  #meta(capabilities: ClientCapabilities | undefined, members: object | undefined): object | undefined {
    if (!this.isModern) return members;
    if (!capabilities && !members) return this.#envelope;
    return { ...this.#envelope, ...(capabilities && { [CLIENT_CAPABILITIES_META_KEY]: capabilities }), ...members };
  }

  #lose(id: number, error: Error): void {
    const pending = this.#remove(id);
    if (!pending) return;
    const reason = errorInBody(id, error) ?? this.#reasonOf(error);
    pending.handler.onError(reason);
    // A server that returns an error, or whose session has expired, can be reached.
    if (reason instanceof ProcessExitedError && reason !== error) this.#events.onLost();
  }

  /** Converts the error of a request that got no answer. The cause is included, because `fetch failed` alone says nothing. */
  #reasonOf(error: Error): Error {
    if (error instanceof ProcessExitedError) return error;
    const { cause, message } = error;
    // 2026-07-28 has no sessions, so there a 404 means that the URL is wrong.
    if (!this.isModern && httpAnswer(error)?.status === SESSION_NOT_FOUND) return new SessionExpiredError(message);
    if (!isLoss(error)) return new RpcError(RPC_CODES.internalError, messageOf(error, this.#events.redactor));
    const causeText = cause instanceof Error ? ` (${cause.message})` : '';
    return new ProcessExitedError(`the connection to it was lost: ${message}${causeText}`, '');
  }

  #remove(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending) this.#pending.delete(id);
    return pending;
  }

  /** Handles a message that is for this client. @returns false if the SDK has to handle it */
  #take(message: Incoming): boolean {
    const { id, method } = message;
    const isCall = typeof method === 'string';
    if (!isCall && typeof id === 'number' && this.#settle(id, message)) return true;
    if (!this.#rateLimit.tryTake(estimateJsonSize(message, MESSAGE_CHARS_A_SECOND))) {
      this.#events.onRateExceeded();
      return true;
    }
    if (!isCall) return false;
    const params = isJsonObject(message.params) ? message.params : {};
    if (id === undefined) return this.#onNotification(method, params);
    if (this.isModern || !QUESTIONS.has(method)) return false;
    void this.#answer(id, method, params);
    return true;
  }

  /** @returns false if the response belongs to no pending request of this client */
  #settle(id: number, { result, error }: Incoming): boolean {
    const pending = this.#remove(id);
    if (!pending) return false;
    if (isJsonObject(error)) pending.handler.onError(rpcError(error));
    else if (isJsonObject(result)) pending.handler.onResult(result);
    else pending.handler.onError(new MissingResultError('The server answered with neither a result nor an error'));
    return true;
  }

  /** @returns false if the SDK has to handle the notification, too */
  #onNotification(method: string, params: JsonObject): boolean {
    if (method !== 'notifications/progress') {
      this.#events.onNotification(method, params);
      return false;
    }
    const { progressToken } = params;
    const isOurs = typeof progressToken === 'number' && progressToken >= FIRST_ID;
    if (isOurs) this.#pending.get(progressToken)?.handler.onProgress?.(params);
    return isOurs;
  }

  async #answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    try {
      this.#post({ id, result: await this.#events.onRequest(method, params) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : RPC_CODES.internalError;
      this.#post({ id, error: { code, message: errorMessage(error) } });
    }
  }

  /** Sends a message without waiting. If that fails, the next request fails too. */
  #post(message: object): void {
    this.#transport.send({ jsonrpc: '2.0', ...message } as Message).catch(() => {});
  }
}

function rpcError({ code, message, data }: JsonObject): RpcError {
  const text = typeof message === 'string' && message !== '' ? message : 'The server gave no reason';
  return new RpcError(typeof code === 'number' ? code : RPC_CODES.internalError, text, data);
}

/** True if `fetch` reports that the server cannot be reached. Any other error is an answer of the server. */
const isLoss = (error: Error) => error instanceof TypeError;

/** Describes the answer of a server by URL that has sent no result. */
function messageOf(error: Error, redactor: JsonRpcClientEvents['redactor']): string {
  // Redact before cutting: a secret that is cut is no longer recognised.
  const shortMessage = (message: string) => redactor.text(withoutSdkOption(message)).slice(0, MAX_MESSAGE_CHARS);
  const { status, statusText, text } = (httpAnswer(error) ?? {}) as Record<string, unknown>;
  const isRefused = error instanceof UnauthorizedError || status === 403;
  const hint = isRefused ? ' (check the headers of its entry)' : '';
  if (error instanceof UnauthorizedError) return `It answered with HTTP 401 Unauthorized${hint}`;
  if (typeof status !== 'number') return `Its answer cannot be used: ${shortMessage(error.message)}`;
  const message = typeof text === 'string' && text !== '' ? `: ${shortMessage(text)}` : '';
  return `It answered with HTTP ${status}${statusText ? ` ${statusText}` : ''}${hint}${message}`;
}

/** Returns the JSON-RPC error in the body of an HTTP error, if it belongs to this request. */
function errorInBody(id: number, error: Error): RpcError | undefined {
  const text = httpAnswer(error)?.text;
  if (typeof text !== 'string') return undefined;
  try {
    const message: unknown = JSON.parse(text);
    return isJsonObject(message) && message.id === id && isJsonObject(message.error)
      ? rpcError(message.error)
      : undefined;
  } catch {
    return undefined;
  }
}
