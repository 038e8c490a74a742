import { setTimeout as sleep } from 'node:timers/promises';
import { SESSIONS, STATELESS } from '../../bench/client/protocol.mjs';
import { openHttp } from '../load/clients.mjs';
import { keyOf, PRINCIPALS } from './caller.mjs';
import { versionIn } from './plugin.mjs';

const RECONNECT_MS = 300;
const LIST_MS = 10_000;
const CHANGED = 'notifications/tools/list_changed';

/** A client that listens to changes. After each one, and after its stream was cut, it lists the tools again. */
class Watcher {
  known;
  #options;
  #client;
  #isOver = false;

  constructor(options) {
    this.#options = options;
  }

  async run() {
    while (!this.#isOver) {
      await this.#listen().catch(() => {});
      this.#client?.disconnect();
      await sleep(RECONNECT_MS);
    }
  }

  stop() {
    this.#isOver = true;
    this.#client?.disconnect();
  }

  async #listen() {
    const { url, version, principal } = this.#options;
    const client = await openHttp(url, version, {
      key: keyOf(principal),
      onMessage: ({ method }) => method === CHANGED && this.#list(client),
    });
    this.#client = client;
    const listen = () => void this.#list(client);
    if (version === SESSIONS) await client.listen({ onOpen: listen });
    else
      await client.request('subscriptions/listen', { notifications: { toolsListChanged: true } }, { onOpen: listen });
  }

  /** A list that is cut, or fails, ends the stream too: the client begins again. */
  async #list(client) {
    try {
      const { message } = await client.request('tools/list', {}, { signal: AbortSignal.timeout(LIST_MS) });
      this.known = versionIn(message.result.tools);
    } catch {
      client.disconnect();
    }
  }
}

/** Clients of both versions that listen to changes. */
export class Watchers {
  #watchers;
  #running;

  constructor(url, count) {
    this.#watchers = Array.from(
      { length: count },
      (_, at) =>
        new Watcher({
          url,
          version: at % 2 === 0 ? SESSIONS : STATELESS,
          principal: PRINCIPALS[at % PRINCIPALS.length],
        }),
    );
    this.#running = this.#watchers.map((watcher) => watcher.run());
  }

  /** Waits until all know this version. @returns how many do not, after the time */
  async outdated(version, withinMs) {
    const deadline = performance.now() + withinMs;
    const behind = () => this.#watchers.filter(({ known }) => known !== version).length;
    while (behind() > 0 && performance.now() < deadline) await sleep(50);
    return behind();
  }

  async stop() {
    for (const watcher of this.#watchers) watcher.stop();
    await Promise.all(this.#running);
  }
}
