import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import type { JsonRpcClient } from './json-rpc-client.js';

/** The time limit for one subscription. */
const SUBSCRIBE_MS = 10_000;
/** The first pause before a stream of changes that was closed is opened again. It doubles after each failure. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;
/** The maximum number of watched resources. The oldest are dropped without telling the server. */
const MAX_WATCHED = 10_000;

/** Keeps the subscriptions to a server's lists, and to the resources that clients watch. */
export class RemoteSubscriptions {
  readonly #client: Client;
  readonly #rpc: JsonRpcClient;
  readonly #capabilities: ServerCapabilities;
  readonly #watched = new Set<string>();
  #isOver = false;
  /** With 2026-07-28: the stream of changes. */
  #stream: { close(): Promise<void> } | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #opening = Promise.resolve();
  /** The renewal of the stream that waits for `#opening`. */
  #next: Promise<void> | undefined;

  constructor(client: Client, rpc: JsonRpcClient, capabilities: ServerCapabilities, ended: Promise<unknown>) {
    this.#client = client;
    this.#rpc = rpc;
    this.#capabilities = capabilities;
    void ended.then(() => {
      this.#isOver = true;
    });
    if (rpc.isModern) this.#listen().catch(() => {});
  }

  /** True if any resource is watched. */
  get isWatching(): boolean {
    return this.#watched.size > 0;
  }

  /** Watches further resources. Never rejects: a resource that the server refuses has no updates until it is added again. */
  async watch(uris: readonly string[]): Promise<void> {
    const watched = this.#watched;
    const added = uris.filter((uri) => !watched.has(uri));
    if (this.#capabilities.resources?.subscribe !== true || added.length === 0) return;
    for (const uri of added) watched.add(uri);
    for (const uri of watched) if (watched.size > MAX_WATCHED) watched.delete(uri);
    if (!this.#rpc.isModern) await Promise.all(added.map((uri) => this.#subscribe(uri)));
    else
      await this.#listen().catch(() => {
        for (const uri of added) watched.delete(uri);
      });
  }

  /** Stops watching a resource. Never rejects. */
  async unwatch(uri: string): Promise<void> {
    // With 2026-07-28 the next `subscriptions/listen` leaves the resource out.
    if (!this.#watched.delete(uri) || this.#rpc.isModern) return;
    await this.#rpc.request('resources/unsubscribe', { uri }, SUBSCRIBE_MS).catch(() => {});
  }

  async #subscribe(uri: string): Promise<void> {
    await this.#rpc.request('resources/subscribe', { uri }, SUBSCRIBE_MS).catch(() => this.#watched.delete(uri));
  }

  /** Renews the stream. Renewals run one at a time; all that are requested during one share the next one. */
  #listen(): Promise<void> {
    this.#next ??= this.#opening
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#opening = this.#listenNow();
        return this.#opening;
      });
    return this.#next;
  }

  #listenAgain(): void {
    clearTimeout(this.#retryTimer);
    if (this.#isOver) return;
    this.#retryTimer = setTimeout(() => void this.#listen().catch(() => {}), this.#pauseMs).unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  /** With 2026-07-28: opens one stream for everything. A changed set of resources needs a new stream. */
  async #listenNow(): Promise<void> {
    clearTimeout(this.#retryTimer);
    const { tools, prompts, resources } = this.#capabilities;
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(this.isWatching && { resourceSubscriptions: [...this.#watched] }),
    };
    if (Object.keys(filter).length === 0) return;
    const before = this.#stream;
    const opened = await this.#client.listen(filter, { timeout: SUBSCRIBE_MS }).catch((error) => {
      // Try again only if there was a stream before: other servers may not support streams at all.
      if (before) this.#listenAgain();
      throw error;
    });
    this.#stream = opened;
    this.#pauseMs = FIRST_PAUSE_MS;
    await before?.close();
    void opened.closed.then((cause) => {
      if (cause !== 'local' && this.#stream === opened) this.#listenAgain();
    });
  }
}
