import { HEADER_NAMES } from '@mortise/mcp/protocol/header-names';
import { META_KEYS } from '@mortise/mcp/protocol/meta-keys';
import { METHODS, type MethodRule } from '@mortise/mcp/protocol/methods';
import { encodeHeader, paramHeaders } from '@mortise/mcp/protocol/param-headers';
import { TASKS_EXTENSION } from '@mortise/mcp/protocol/tasks-extension';
import { STATELESS_VERSION } from '@mortise/mcp/protocol/versions';
import { isObject, type Json, type JsonObject, parseJson, writeJson } from '../json/json.js';
import { readEvents } from './event-stream.js';

export interface ExchangeMessage {
  readonly direction: 'sent' | 'received';
  /** Milliseconds since the request was started. */
  readonly atMs: number;
  readonly message: Json;
  /** The length of the JSON text in characters, which is about its size in bytes. */
  readonly size: number;
}

/** A request with all messages that were sent and received for it. */
export interface Exchange {
  readonly method: string;
  readonly startedAt: number;
  readonly messages: readonly ExchangeMessage[];
  /** The status of the HTTP response. */
  readonly status?: number;
}

/** Thrown if the server answers with a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Json | undefined;
  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Thrown if a request gets no JSON-RPC response. `unauthorized`: the access key is missing or invalid. `limited`: the
 * server refuses the request for now, after too many failed logins or because too many streams are open. `unreachable`:
 * the connection failed. `invalid`: the response is not a JSON-RPC message.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly reason: 'unauthorized' | 'limited' | 'unreachable' | 'invalid';
  constructor(reason: ConnectionError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Called for each notification that belongs to the request. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** Called after each message that was sent or received, with the whole exchange so far. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** The lowest level of log messages that the server sends for the request; none without a level. */
  readonly logLevel?: string;
  /** Declares the tasks extension: the server may answer the call with a task. */
  readonly knowsTasks?: true;
  /** The input schema of the called tool. It names the arguments that are repeated in headers. */
  readonly inputSchema?: unknown;
}

/** The kinds of questions that the server may ask this client. */
const CAPABILITIES = { elicitation: { form: {}, url: {} } };
/** The capabilities for calls that may become tasks (docs/spec/protocol.md#tasks). */
const CAPABILITIES_WITH_TASKS = { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } };

/** A client of MCP 2026-07-28 over HTTP. This version has no sessions, so each request names the capabilities. */
export class McpClient {
  readonly #endpoint: string;
  readonly #getKey: () => string | undefined;
  #lastId = 0;

  /** @param getKey reads the access key before each request; undefined if the user has none */
  constructor(endpoint: string, getKey: () => string | undefined) {
    this.#endpoint = endpoint;
    this.#getKey = getKey;
  }

  /** @throws RpcError, ConnectionError, or the DOMException AbortError of the signal */
  async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: this.#meta(id, params, options) } };
    const body = writeJson(message);
    const record = recordExchange(method, options.onExchange);
    record.add('sent', message, body.length);
    const response = await this.#send(method, params, body, options);
    record.status(response.status);
    for await (const text of messagesOf(response)) {
      const received = readMessage(text);
      record.add('received', received, text.length);
      if (received.id === id || (received.id === undefined && isObject(received.error))) return resultOf(received);
      if (typeof received.method === 'string') {
        options.onNotification?.(received.method, isObject(received.params) ? received.params : {});
      }
    }
    throw new ConnectionError('unreachable', 'The connection ended before the response.');
  }

  #meta(id: number, params: JsonObject, { onNotification, logLevel, knowsTasks }: RequestOptions): JsonObject {
    return {
      ...(isObject(params._meta) && params._meta),
      [META_KEYS.protocolVersion]: STATELESS_VERSION,
      [META_KEYS.clientCapabilities]: knowsTasks ? CAPABILITIES_WITH_TASKS : CAPABILITIES,
      [META_KEYS.clientInfo]: { name: 'mortise-workbench', title: 'Mortise workbench', version: '1' },
      ...(logLevel !== undefined && { [META_KEYS.logLevel]: logLevel }),
      ...(onNotification !== undefined && { progressToken: id }),
    };
  }

  async #send(
    method: string,
    params: JsonObject,
    body: string,
    { signal, inputSchema }: RequestOptions,
  ): Promise<Response> {
    const rule = (METHODS as Readonly<Record<string, MethodRule>>)[method];
    const name = rule?.nameParam && params[rule.nameParam];
    const key = this.#getKey();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...mcpHeaders(method, name),
      ...Object.fromEntries(
        paramHeaders(inputSchema, params.arguments).map(({ header, text }) => [header, encodeHeader(text)]),
      ),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const response = await fetch(this.#endpoint, { method: 'POST', headers, body, ...(signal && { signal }) }).catch(
      (error: unknown) => {
        if (error instanceof DOMException && error.name === 'AbortError') throw error;
        throw new ConnectionError('unreachable', 'The server cannot be reached.');
      },
    );
    // A missing scope is not handled here: the server answers 403 with a JSON-RPC error (docs/spec/access.md#scopes).
    if (response.status === 401) throw new ConnectionError('unauthorized', await refusalText(response));
    if (response.status === 429) throw new ConnectionError('limited', await refusalText(response));
    return response;
  }
}

/**
 * The headers that repeat members of the request's body.
 * @param name the name or URI of the called tool, resource or prompt; no header if it is not a text
 */
export function mcpHeaders(method: string, name: unknown): Record<string, string> {
  return {
    [HEADER_NAMES.version]: STATELESS_VERSION,
    [HEADER_NAMES.method]: method,
    ...(typeof name === 'string' && { [HEADER_NAMES.name]: encodeHeader(name) }),
  };
}

function recordExchange(method: string, onExchange: ((exchange: Exchange) => void) | undefined) {
  const startMs = performance.now();
  let exchange: Exchange = { method, startedAt: Date.now(), messages: [] };
  const publish = (changes: Partial<Exchange>) => {
    exchange = { ...exchange, ...changes };
    onExchange?.(exchange);
  };
  return {
    add: (direction: 'sent' | 'received', message: Json, size: number) =>
      publish({ messages: [...exchange.messages, { direction, atMs: performance.now() - startMs, message, size }] }),
    status: (status: number) => publish({ status }),
  };
}

/** Yields the text of each message of a response, which is a single message or an event stream. */
async function* messagesOf(response: Response): AsyncGenerator<string> {
  try {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
      yield* readEvents(response.body);
    } else {
      yield await response.text();
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ConnectionError('unreachable', 'The connection to the server was lost.');
  }
}

function readMessage(text: string): Record<string, Json> {
  try {
    const message = parseJson(text);
    if (isObject(message)) return message;
  } catch {
    // Reported below.
  }
  throw new ConnectionError('invalid', 'The response is not a message of the protocol.');
}

function resultOf({ result, error }: Record<string, Json>): JsonObject {
  if (isObject(error)) throw new RpcError(Number(error.code), String(error.message), error.data);
  return isObject(result) ? result : {};
}

async function refusalText(response: Response): Promise<string> {
  const { error } = readMessage(await response.text());
  return isObject(error) ? String(error.message) : `The server refused the request (${response.status}).`;
}
