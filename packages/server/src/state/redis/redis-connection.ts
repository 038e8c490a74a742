import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log/log.js';
import type { SettingsError } from '../../settings/settings-error.js';
import { TIMED_OUT, withTimeout } from '../../util/with-timeout.js';
import { StateUnavailableError } from '../state-store.js';
import { CONNECT_MS, LINKS, type RedisLink, urlsOf } from './redis-links.js';
import { configurationProblem, loadLibrary, reasonOf, versionProblem } from './redis-problems.js';
import type { RedisSettings } from './redis-settings.js';
import type { Script } from './scripts.js';

/** A command without an answer after this time counts as failed, although the store may still run it. */
const ANSWER_MS = 2_000;
/** The pause between two attempts of a link that does not try again by itself. */
const RETRY_MS = 1_000;

export interface ConnectionOptions {
  readonly settings: RedisSettings;
  /** The name of the connections, as `CLIENT LIST` shows it. */
  readonly name: string;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** The connection to the store of shared state, which is opened again whenever it is lost. */
export class RedisConnection {
  readonly #createLink: () => RedisLink;
  readonly #log: Pick<Log, 'info' | 'error'>;
  /** The hosts of the store, without the user and the password. */
  readonly #address: string;
  #link: RedisLink;
  #problem: string | undefined = 'it was not reached yet';
  #wasUsed = false;
  #failedAtWrite = false;
  #isClosed = false;
  /** The listeners that the store does not know of yet, by channel. */
  readonly #unsubscribed = new Map<string, (message: string) => void>();
  readonly #usableListeners: (() => void)[] = [];
  /** The reason why the store can never be used with these settings. Set only if the store has not been used yet. */
  #refusal: SettingsError | undefined;

  private constructor(library: typeof import('@redis/client'), { settings, name, log }: ConnectionOptions) {
    this.#log = log;
    const hosts = urlsOf(settings).map(({ host }) => host);
    this.#address = hosts.join(', ');
    this.#createLink = () =>
      LINKS[settings.Mode](library, {
        ...{ settings, name },
        ready: () => this.#ready(),
        failed: (error) => this.#failed(error),
        refusal: () => this.#refusal,
      });
    this.#link = this.#createLink();
  }

  /**
   * Connects. If the store cannot be reached now, the connection is opened later.
   * @throws SettingsError if the settings have to be changed
   */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(await loadLibrary(), options);
    await withTimeout(connection.#connect(), CONNECT_MS);
    if (connection.#refusal === undefined && connection.#link.isReady) await connection.#checkVersion();
    if (connection.#refusal === undefined) return connection;
    await connection.close();
    throw connection.#refusal;
  }

  /** The reason why the store cannot be used; undefined if it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Runs a script. @param keys of one group @throws StateUnavailableError */
  run({ text, sha1, isRead }: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [`${keys.length}`, ...keys, ...args];
    return this.#try(isRead, async () => {
      try {
        return await this.#link.send(keys[0], ['EVALSHA', sha1, ...rest]);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return this.#link.send(keys[0], ['EVAL', text, ...rest]);
      }
    });
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#try(true, () => this.#link.publish(channel, message));
  }

  /** Subscribes to a channel, now or when the store can be reached. After a lost connection the library subscribes again. */
  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    this.#unsubscribed.set(channel, listener);
    if (this.#link.isReady) await this.#subscribeAll();
  }

  /** @throws StateUnavailableError */
  async unsubscribe(channel: string): Promise<void> {
    if (!this.#unsubscribed.delete(channel)) await this.#try(true, () => this.#link.unsubscribe(channel));
  }

  /** Calls the listener whenever the store can be used after it could not. */
  onUsable(listener: () => void): void {
    this.#usableListeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#link.destroy();
  }

  async #connect(): Promise<void> {
    while (!this.#isClosed && this.#refusal === undefined) {
      try {
        await this.#link.connect();
        this.#ready();
        return;
      } catch (error) {
        this.#failed(error);
        if (this.#isClosed || this.#refusal !== undefined) return;
        await Promise.resolve(this.#link.destroy()).catch(() => {});
        await delay(RETRY_MS, undefined, { ref: false });
        if (!this.#isClosed) this.#link = this.#createLink();
      }
    }
  }

  async #checkVersion(): Promise<void> {
    this.#refusal = versionProblem(String(await this.#link.send(undefined, ['INFO', 'server'])));
  }

  /** Subscribes, and notes that the store can be used. */
  #ready(): void {
    if (!this.#link.isReady) return;
    this.#succeeded();
    // A failure is logged, and tried again at the next connection.
    this.#subscribeAll().catch(() => {});
  }

  async #subscribeAll(): Promise<void> {
    for (const [channel, listener] of [...this.#unsubscribed]) {
      this.#unsubscribed.delete(channel);
      try {
        await this.#try(true, () => this.#link.subscribe(channel, listener));
      } catch (error) {
        this.#unsubscribed.set(channel, listener);
        throw error;
      }
    }
  }

  /** @param isRead true if a success does not show that the store can be written */
  async #try<T>(isRead: boolean, work: () => Promise<T>): Promise<T> {
    try {
      const result = await withTimeout(work(), ANSWER_MS);
      if (result === TIMED_OUT) throw new Error(`it did not answer within ${ANSWER_MS} ms`);
      if (!isRead || !this.#failedAtWrite) this.#succeeded();
      return result as T;
    } catch (error) {
      this.#failedAtWrite = !isRead;
      this.#failed(error);
      throw new StateUnavailableError(this.#problem, { cause: error });
    }
  }

  #succeeded(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#failedAtWrite = false;
    this.#log.info(this.#wasUsed ? 'The shared state can be used again' : 'Connected to the shared state', {
      store: this.#address,
    });
    this.#wasUsed = true;
    for (const listener of this.#usableListeners) listener();
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return;
    // The command found no connection, for a reason that was logged before.
    if (this.#problem !== undefined && (error as Error).constructor.name === 'ClientOfflineError') return;
    if (!this.#wasUsed) this.#refusal ??= configurationProblem(error);
    const reason = reasonOf(error);
    if (this.#problem !== reason) this.#log.error('The shared state cannot be used', { store: this.#address, reason });
    this.#problem = reason;
  }
}
