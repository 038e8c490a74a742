import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import type { Peer } from './peer.js';

/** How long a subscription may take, in milliseconds. */
const SUBSCRIBE_MS = 10_000;
/** Before a stream of changes that the server has closed is opened again, in milliseconds; twice as long after each failure. */
const AGAIN_MS = 5000;
const LONGEST_MS = 60_000;
/** How many resources of one server are watched: those that it lists, and those that clients ask for. */
const MAX_WATCHED = 2000;

/** Keeps a server telling what changes: its lists, and the resources that somebody may have an eye on. */
export interface Updates {
  /** Whether the server tells of resources at all. */
  readonly canWatch: boolean;
  /** These resources too from now on. Never rejects: a server that refuses says nothing, which is all that it costs. */
  watch(uris: readonly string[]): Promise<void>;
}

export function createUpdates(
  client: Client,
  peer: Peer,
  capabilities: ServerCapabilities,
  ended: Promise<unknown>,
): Updates {
  const canWatch = capabilities.resources?.subscribe === true;
  const watched = new Set<string>();
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });

  let stream: { close(): Promise<void> } | undefined;
  let again: NodeJS.Timeout | undefined;
  let pauseMs = AGAIN_MS;
  let opening = Promise.resolve();
  let next: Promise<void> | undefined;

  /** One after the other, for each replaces the one before; those who ask meanwhile share the next. */
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
    again = setTimeout(() => void listen().catch(() => {}), pauseMs).unref();
    pauseMs = Math.min(LONGEST_MS, pauseMs * 2);
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
    pauseMs = AGAIN_MS;
    await before?.close();
    void opened.closed.then((cause) => {
      if (cause !== 'local' && stream === opened) listenAgain();
    });
  }

  async function subscribe(uris: readonly string[]): Promise<void> {
    await Promise.all(uris.map((uri) => peer.request('resources/subscribe', { uri }, SUBSCRIBE_MS)));
  }

  if (peer.isModern) listen().catch(() => {});
  return {
    canWatch,
    async watch(uris) {
      const added = uris.filter((uri) => !watched.has(uri)).slice(0, MAX_WATCHED - watched.size);
      if (!canWatch || added.length === 0) return;
      for (const uri of added) watched.add(uri);
      await (peer.isModern ? listen() : subscribe(added)).catch(() => {});
    },
  };
}
