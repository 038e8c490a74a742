import { effect, signal } from '@preact/signals';
import { isObject, type JsonObject } from '../json/json.js';
import { ConnectionError, type Exchange, type RequestOptions } from '../rpc/mcp-client.js';
import { messageOf } from '../rpc/message-of.js';
import { client, takeEarlyResponse } from './first-request.js';
import { readKey, writeKey } from './key.js';

/** `locked`: the server wants an access key. */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'locked';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;

export const connection = signal<ConnectionState>('connecting');
export const connectionMessage = signal('');
/** What the server says about itself. */
export const server = signal<{ name: string; version: string; instructions?: string; capabilities: JsonObject }>();

/** Keeps the key for this tab, and connects with it. A text that no header can carry is refused with a message. */
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

/** A request whose connection errors show in the state of the connection. @throws RpcError, ConnectionError */
export async function request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject> {
  try {
    const result = await (takeEarlyResponse(method) ?? client.request(method, params, options));
    // A server that answers can be called; what it says about itself comes later.
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

/** Called for each change that the server announces. @returns ends it */
export function onAnnouncement(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Called when the server is there and announces its changes, and each time when it is there again. */
export function onConnected(listener: () => void): void {
  whenConnected.add(listener);
}

/** Resolves when the server is connected. */
export function untilConnected(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (connection.value !== 'connected') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

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
    void listen(() => {
      for (const listener of whenConnected) listener();
    });
  } catch (error) {
    loseConnection(error);
  }
}

function loseConnection(error: unknown): void {
  connectionMessage.value = messageOf(error);
  listening?.abort();
  clearTimeout(retryTimer);
  if (error instanceof ConnectionError && error.reason === 'unauthorized') {
    connection.value = 'locked';
    return;
  }
  connection.value = 'disconnected';
  retryTimer = setTimeout(() => void connect(), retryMs);
  retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
}

/** Announces the changes of a resource too; the list of all watched ones is sent again. */
export function watchResource(uri: string, isWatched: boolean): void {
  if (isWatched) watchedUris.add(uri);
  else watchedUris.delete(uri);
  void listen();
}

/**
 * One request stays open for announcements; when it ends, the server is gone or restarts.
 * @param onBegin called once the server announces every later change
 */
async function listen(onBegin?: () => void): Promise<void> {
  listening?.abort();
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
          if (method === 'notifications/subscriptions/acknowledged') onBegin?.();
          for (const listener of listeners) listener(method, params);
        },
      },
    );
    if (!controller.signal.aborted)
      loseConnection(new ConnectionError('unreachable', 'The server ended the connection.'));
  } catch (error) {
    if (!controller.signal.aborted) loseConnection(error);
  }
}
