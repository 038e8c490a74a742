import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import type { JsonRpcClient } from './json-rpc-client.js';

/** How long a subscription may take, in milliseconds. */
const SUBSCRIBE_MS = 10_000;
/** Before a stream of changes that the server has closed is opened again, in milliseconds; twice as long after each failure. */
const AGAIN_MS = 5000;
const LONGEST_MS = 60_000;
/** The maximum number; the oldest are dropped without notifying the server. */
const MAX_WATCHED = 10_000;

/** Keeps the subscriptions at a server: to its lists, and to the resources that clients watch. */
export interface RemoteSubscriptions {
  /** Whether it watches a resource. */
  readonly isWatching: boolean;
  /** Also watches these resources. Never rejects: if the server refuses, there are no updates for them until the next request. */
  watch(uris: readonly string[]): Promise<void>;
  /** No longer watches this resource. Never rejects. */
  unwatch(uri: string): Promise<void>;
}

export function createRemoteSubscriptions(
  client: Client,
  rpc: JsonRpcClient,
  capabilities: ServerCapabilities,
  ended: Promise<unknown>,
): RemoteSubscriptions {
  const canWatch = capabilities.resources?.subscribe === true;
  const watched = new Set<string>();
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });

  let stream: { close(): Promise<void> } | undefined;
  let again: NodeJS.Timeout | undefined;
  let delayMs = AGAIN_MS;
  let opening = Promise.resolve();
  let next: Promise<void> | undefined;

  /** Runs one at a time, because each subscription replaces the one before; requests in the meantime share the next one. */
  function listen(): Promise<void> {
    next ??= opening
      .catch(() => {})
      .then(() => {
        next = undefined;
        opening = listenNow();
        return opening;
      });
    return next;
  }

  function listenAgain(): void {
    clearTimeout(again);
    if (isOver) return;
    again = setTimeout(() => void listen().catch(() => {}), delayMs).unref();
    delayMs = Math.min(LONGEST_MS, delayMs * 2);
  }

  /** 2026-07-28: one stream for all; another set of resources needs another stream. */
  async function listenNow(): Promise<void> {
    clearTimeout(again);
    const filter = {
      ...(capabilities.tools?.listChanged && { toolsListChanged: true }),
      ...(capabilities.prompts?.listChanged && { promptsListChanged: true }),
      ...(capabilities.resources?.listChanged && { resourcesListChanged: true }),
      ...(watched.size > 0 && { resourceSubscriptions: [...watched] }),
    };
    if (Object.keys(filter).length === 0) return;
    const before = stream;
    const opened = await client.listen(filter, { timeout: SUBSCRIBE_MS }).catch((error) => {
      // One that never listened may not know how to.
      if (before) listenAgain();
      throw error;
    });
    stream = opened;
    delayMs = AGAIN_MS;
    await before?.close();
    void opened.closed.then((cause) => {
      if (cause !== 'local' && stream === opened) listenAgain();
    });
  }

  async function subscribe(uri: string): Promise<void> {
    await rpc.request('resources/subscribe', { uri }, SUBSCRIBE_MS).catch(() => watched.delete(uri));
  }

  if (rpc.isModern) listen().catch(() => {});
  return {
    get isWatching() {
      return watched.size > 0;
    },
    async unwatch(uri) {
      // With 2026-07-28 the next request no longer has it.
      if (!watched.delete(uri) || rpc.isModern) return;
      await rpc.request('resources/unsubscribe', { uri }, SUBSCRIBE_MS).catch(() => {});
    },
    async watch(uris) {
      const added = uris.filter((uri) => !watched.has(uri));
      if (!canWatch || added.length === 0) return;
      for (const uri of added) watched.add(uri);
      for (const uri of watched) if (watched.size > MAX_WATCHED) watched.delete(uri);
      if (!rpc.isModern) await Promise.all(added.map(subscribe));
      else
        await listen().catch(() => {
          for (const uri of added) watched.delete(uri);
        });
    },
  };
}
