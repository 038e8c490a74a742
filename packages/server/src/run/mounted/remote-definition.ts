import { isDeepStrictEqual } from 'node:util';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import { PluginUnavailableError } from '../shared/runner-errors.js';
import type { Connection } from './connect.js';
import { type ListKind, type ListOptions, readLists } from './read-lists.js';

/** Lists that change are read again after this long, and not more often, in milliseconds. */
const RELIST_MS = 200;
/** …or than this many times the time that processing them took, because that delays all other calls. */
const RELIST_SHARE = 20;
/** Lists that could not be read are retried after this delay, which doubles each time, up to a maximum number of retries. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRIES = 6;

export interface RemoteDefinitionOptions extends ListOptions {
  /** The server's last known definition. */
  readonly definition: PluginDefinition;
  /** Why this definition is rejected; undefined if it is accepted. */
  rejectReason?(definition: PluginDefinition): PluginProblem | undefined;
  /** All of its lists were read. */
  onListed(definition: PluginDefinition): void;
  /** What is shown of it has changed. */
  onChanged(definition: PluginDefinition): void;
}

/** The known definition of a mounted server: its lists, or why it cannot be used. */
export class RemoteDefinition {
  readonly #options: RemoteDefinitionOptions;
  #previous: PluginDefinition;
  #current: PluginDefinition;
  #timer: NodeJS.Timeout | undefined;
  #relistMs = RELIST_MS;
  #retryTimer: NodeJS.Timeout | undefined;
  #retries = 0;
  /** How often it was begun to read the lists, and which of those is shown. */
  #begun = 0;
  #currentRead = 0;

  constructor(options: RemoteDefinitionOptions) {
    this.#options = options;
    this.#previous = options.definition;
    this.#current = options.definition;
  }

  get definition(): PluginDefinition {
    return this.#current;
  }

  /**
   * Reads all lists; if one cannot be read, its last known contents are kept, and it is retried while the connection is open.
   * @throws ProcessExitedError if the server ends in the meantime, PluginUnavailableError
   */
  async read(connection: Connection): Promise<void> {
    const { ended } = connection;
    const number = ++this.#begun;
    const lists = readLists(connection, this.#options);
    const { definition, readAt, failed } = await Promise.race([lists, ended.then((end) => Promise.reject(end))]);
    // Lists that were asked for later came sooner.
    if (number < this.#currentRead) return;
    this.#currentRead = number;
    const rejection = this.#options.rejectReason?.(definition);
    if (rejection) throw new PluginUnavailableError(rejection);
    this.#previous = withPrevious(definition, this.#previous, failed);
    if (failed.length === 0) this.#options.onListed(this.#previous);
    this.#show(this.#previous);
    this.#relistMs = Math.max(RELIST_MS, RELIST_SHARE * (performance.now() - readAt));
    this.#retry(failed.length > 0 ? connection : undefined);
  }

  #retry(connection: Connection | undefined): void {
    clearTimeout(this.#retryTimer);
    if (!connection) this.#retries = 0;
    else if (this.#retries < MAX_RETRIES) {
      const again = () => void this.read(connection).catch(() => {});
      this.#retryTimer = setTimeout(again, FIRST_RETRY_MS * 2 ** this.#retries++).unref();
    }
  }

  /** Reads again soon, once for all who ask until then. */
  readSoon(read: () => Promise<void>): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      read().catch(() => {});
    }, this.#relistMs).unref();
  }

  /** Shows why the server cannot be used, together with its last definition, until its lists can be read again. */
  showUnavailable(problem: PluginProblem): void {
    this.#show({ ...this.#previous, problems: [...this.#previous.problems, problem] });
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#retryTimer);
  }

  #show(definition: PluginDefinition): void {
    if (isDeepStrictEqual(this.#current, definition)) return;
    this.#current = definition;
    this.#options.onChanged(definition);
  }
}

/** What was read, with what was known before of lists that could not be. */
function withPrevious(
  read: PluginDefinition,
  previous: PluginDefinition,
  failed: readonly ListKind[],
): PluginDefinition {
  const of = (kind: ListKind) => (failed.includes(kind) ? previous : read);
  return {
    ...read,
    tools: of('tools').tools,
    prompts: of('prompts').prompts,
    resources: [
      ...of('resources').resources.filter(({ uri }) => uri !== undefined),
      ...of('templates').resources.filter(({ uri }) => uri === undefined),
    ],
  };
}
