import { effect, signal } from '@preact/signals';
import { isObject, type JsonObject } from '../json/json.js';
import { ConnectionError, type Exchange, type RequestOptions } from '../rpc/mcp-client.js';
import { messageOf } from '../rpc/message-of.js';
import { client, takeEarlyResponse } from './first-request.js';
import { readKey, writeKey } from './key.js';

/** `locked`: the server requires an access key that the page does not have. */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'locked';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** The time after which the page asks again, if the server has refused to announce its changes. */
const LISTEN_RETRY_MS = 5_000;

export const connection = signal<ConnectionState>('connecting');
export const connectionMessage = signal('');
/** The server's reason not to announce its changes to this page; empty if it announces them. */
export const listenRefusal = signal('');
/** The server's answer to `server/discover`; undefined before the first one. */
export const server = signal<{ name: string; version: string; instructions?: string; capabilities: JsonObject }>();

/**
 * Keeps the key for this tab and connects with it. A text with characters that an HTTP header cannot carry is refused:
 * `connectionMessage` says why.
 */
export function useKey(key: string): void {
  if (!/^[!-~]*$/.test(key)) {
    connectionMessage.value = 'An access key has only ASCII letters, digits and punctuation, and no spaces.';
    return;
  }
  writeKey(key);
  void connect();
}

export function hasKey(): boolean {
  return readKey() !== undefined;
}

/**
 * Sends a request. If the connection fails, `connection` changes too.
 * @throws RpcError, ConnectionError, or the DOMException AbortError of the signal
 */
export async function request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject> {
  try {
    const result = await (takeEarlyResponse(method) ?? client.request(method, params, options));
    // A server that answers can be called, even if it has not answered `server/discover` yet.
    if (connection.value === 'connecting') connection.value = 'connected';
    return result;
  } catch (error) {
    if (error instanceof ConnectionError) loseConnection(error);
    throw error;
  }
}

export type { Exchange };

type Listener = (method: string, params: JsonObject) => void;
const listeners = new Set<Listener>();
const whenConnected = new Set<() => void>();
const watchedUris = new Set<string>();
let listening: AbortController | undefined;
let retryMs = RETRY_MS;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let listenTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Adds a listener for notifications of the server about changes, with their method and parameters.
 * @returns a function that removes the listener
 */
export function onAnnouncement(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Adds a listener that runs each time the server begins to announce its changes, as it does after each connect. While
 * the server refuses to announce them, the listener runs every few seconds.
 */
export function onConnected(listener: () => void): void {
  whenConnected.add(listener);
}

export function untilConnected(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (connection.value !== 'connected') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** Connects, and keeps trying until the server answers. Never rejects: a failure is in `connection`. */
export async function connect(): Promise<void> {
  clearTimeout(retryTimer);
  if (connection.value !== 'connected') connection.value = 'connecting';
  try {
    const discovered = await client.request('server/discover');
    const info = isObject(discovered.serverInfo) ? discovered.serverInfo : {};
    server.value = {
      name: String(info.title ?? info.name ?? 'MCP server'),
      version: String(info.version ?? ''),
      capabilities: isObject(discovered.capabilities) ? discovered.capabilities : {},
      ...(typeof discovered.instructions === 'string' && { instructions: discovered.instructions }),
    };
    retryMs = RETRY_MS;
    connection.value = 'connected';
    void listen();
  } catch (error) {
    loseConnection(error);
  }
}

function loseConnection(error: unknown): void {
  connectionMessage.value = messageOf(error);
  stopListening();
  clearTimeout(retryTimer);
  // Requests other than `subscriptions/listen` are limited only after failed logins.
  if (error instanceof ConnectionError && (error.reason === 'unauthorized' || error.reason === 'limited')) {
    connection.value = 'locked';
    return;
  }
  connection.value = 'disconnected';
  retryTimer = setTimeout(() => void connect(), retryMs);
  retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
}

function notifyConnected(): void {
  for (const listener of whenConnected) listener();
}

function stopListening(): void {
  listening?.abort();
  clearTimeout(listenTimer);
  listenRefusal.value = '';
}

/** Starts or stops announcements of changes of a resource, by a new request with all watched resources. */
export function watchResource(uri: string, isWatched: boolean): void {
  if (isWatched) watchedUris.add(uri);
  else watchedUris.delete(uri);
  void listen();
}

/**
 * Opens the request on which the server announces changes, and aborts an earlier one. The request stays open until the
 * server stops or restarts. If the server refuses the request, the page sends it again later.
 */
async function listen(): Promise<void> {
  listening?.abort();
  clearTimeout(listenTimer);
  const controller = new AbortController();
  listening = controller;
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: [...watchedUris],
  };
  try {
    await client.request(
      'subscriptions/listen',
      { notifications },
      {
        signal: controller.signal,
        onNotification: (method, params) => {
          if (method === 'notifications/subscriptions/acknowledged') {
            listenRefusal.value = '';
            notifyConnected();
          }
          for (const listener of listeners) listener(method, params);
        },
      },
    );
    if (!controller.signal.aborted)
      loseConnection(new ConnectionError('unreachable', 'The server ended the connection.'));
  } catch (error) {
    if (controller.signal.aborted) return;
    if (!(error instanceof ConnectionError && error.reason === 'limited')) return loseConnection(error);
    listenRefusal.value = error.message;
    notifyConnected();
    listenTimer = setTimeout(() => void listen(), LISTEN_RETRY_MS);
  }
}
