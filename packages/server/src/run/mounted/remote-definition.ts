import { isDeepStrictEqual } from 'node:util';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import { PluginUnavailableError } from '../shared/runner-errors.js';
import type { Connection } from './connect.js';
import { type ListKind, type ListOptions, readLists } from './read-lists.js';

/** The shortest pause before changed lists are read again. */
const RELIST_MS = 200;
/** The pause is at least this many times the duration of processing the lists, because processing delays all calls. */
const RELIST_SHARE = 20;
/** The first pause before lists that could not be read are tried again. It doubles each time. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRIES = 6;

export interface RemoteDefinitionOptions extends ListOptions {
  /** The server's last known definition. */
  readonly definition: PluginDefinition;
  /** Returns the problem for which a definition is rejected, or undefined. */
  rejectReason?(definition: PluginDefinition): PluginProblem | undefined;
  /** Called after all lists of the server were read. */
  onListed(definition: PluginDefinition): void;
  /** Called when the shown definition has changed. */
  onChanged(definition: PluginDefinition): void;
}

/** The known definition of a mounted server: its lists, and the problem if it cannot be used. */
export class RemoteDefinition {
  readonly #options: RemoteDefinitionOptions;
  /** The lists that were read last, without a problem of the connection. */
  #previous: PluginDefinition;
  /** The definition that is shown, with the problem of the connection if there is one. */
  #current: PluginDefinition;
  #timer: NodeJS.Timeout | undefined;
  #relistMs = RELIST_MS;
  #retryTimer: NodeJS.Timeout | undefined;
  #retries = 0;
  /** The sequence numbers of the latest read and of the read that is shown. A slow read can finish after a newer one. */
  #latestRead = 0;
  #shownRead = 0;

  constructor(options: RemoteDefinitionOptions) {
    this.#options = options;
    this.#previous = options.definition;
    this.#current = options.definition;
  }

  get definition(): PluginDefinition {
    return this.#current;
  }

  /**
   * Reads all lists. A list that cannot be read keeps its last known contents, and is tried again later.
   * @throws ProcessExitedError if the server ends meanwhile; PluginUnavailableError if the definition is rejected
   */
  async read(connection: Connection): Promise<void> {
    const { ended } = connection;
    const number = ++this.#latestRead;
    const lists = readLists(connection, this.#options);
    const { definition, readAt, failed } = await Promise.race([lists, ended.then((end) => Promise.reject(end))]);
    if (number < this.#shownRead) return;
    this.#shownRead = number;
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

  /** Reads the lists again after a pause. Further calls during the pause have no effect. */
  readSoon(read: () => Promise<void>): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      read().catch(() => {});
    }, this.#relistMs).unref();
  }

  /** Shows the problem together with the last definition, until the lists can be read again. */
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

/** The new definition, in which the lists that could not be read are those of the previous one. */
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
