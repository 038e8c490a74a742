import { isDeepStrictEqual } from 'node:util';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/host';
import { Unavailable } from '../endings.js';
import type { Connection } from './connect.js';
import { type ListOptions, readLists } from './lists.js';

/** Lists that change are read again after this long, and not more often, in milliseconds. */
const RELIST_MS = 200;

export interface MountedOffersOptions extends ListOptions {
  /** What the server offered when it was last asked. */
  readonly definition: PluginDefinition;
  /** Why nothing of this is to be taken over, where that is so. */
  uselessBecause?(definition: PluginDefinition): PluginProblem | undefined;
  /** All of its lists were read. */
  onListed(definition: PluginDefinition): void;
  /** What is shown of it has changed. */
  onChanged(definition: PluginDefinition): void;
}

/** What a mounted server offers, as it is known: its lists, and why it cannot be used where it cannot. */
export class MountedOffers {
  readonly #options: MountedOffersOptions;
  #known: PluginDefinition;
  #shown: PluginDefinition;
  #timer: NodeJS.Timeout | undefined;
  /** How often it was begun to read the lists, and which of those is shown. */
  #begun = 0;
  #taken = 0;

  constructor(options: MountedOffersOptions) {
    this.#options = options;
    this.#known = options.definition;
    this.#shown = options.definition;
  }

  get definition(): PluginDefinition {
    return this.#shown;
  }

  /** Reads all lists; one that cannot be read leaves what was known of it. @throws ProcessEnded when the server ends meanwhile, Unavailable */
  async read({ peer, capabilities, ended, updates }: Connection): Promise<void> {
    const number = ++this.#begun;
    const lists = readLists(peer, capabilities, this.#options);
    const { definition, failed } = await Promise.race([lists, ended.then((end) => Promise.reject(end))]);
    // Lists that were asked for later came sooner.
    if (number < this.#taken) return;
    this.#taken = number;
    const useless = this.#options.uselessBecause?.(definition);
    if (useless) throw new Unavailable(useless);
    const kept = Object.fromEntries(failed.map((offers) => [offers, this.#known[offers]]));
    this.#known = { ...definition, ...kept };
    void updates.watch(this.#known.resources.flatMap(({ uri }) => uri ?? []));
    if (failed.length === 0) this.#options.onListed(this.#known);
    this.#show(this.#known);
  }

  /** Reads again soon, once for all who ask until then. */
  readSoon(read: () => Promise<void>): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      read().catch(() => {});
    }, RELIST_MS).unref();
  }

  /** Shows why the server cannot be used, beside what it offered, until its lists can be read again. */
  showUnavailable(problem: PluginProblem): void {
    this.#show({ ...this.#known, problems: [...this.#known.problems, problem] });
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #show(definition: PluginDefinition): void {
    if (isDeepStrictEqual(this.#shown, definition)) return;
    this.#shown = definition;
    this.#options.onChanged(definition);
  }
}
