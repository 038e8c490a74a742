import type { RedisClientOptions, RedisClientType } from '@redis/client';
import type { Log } from '../../log/log.js';
import type { Settings } from '../../settings/settings.js';
import type { SettingsError } from '../../settings/settings-error.js';
import { TIMED_OUT, withTimeout } from '../../util/with-timeout.js';
import { StateUnavailableError } from '../state-store.js';
import { configurationProblem, loadLibrary, readCertificates, reasonOf, versionProblem } from './redis-problems.js';
import type { Script } from './scripts.js';

export type RedisSettings = NonNullable<Settings['State']['Redis']>;

/** A command that has no answer by then has failed, although the store may still run it. */
const ANSWER_MS = 2_000;
/** How long a start waits for the store. */
const CONNECT_MS = 5_000;
/** A connection on which nothing arrives for longer than this is closed; pings keep it from that. */
const SILENCE_MS = 10_000;
const PING_MS = 3_000;
const MAX_RECONNECT_MS = 2_000;
/** Commands beyond this number fail at once. */
const MAX_WAITING = 10_000;

/** The connections to a Redis server: one for commands, and one for messages. */
export class RedisConnection {
  readonly #commands: RedisClientType;
  readonly #messages: RedisClientType;
  readonly #log: Pick<Log, 'info' | 'error'>;
  readonly #address: string;
  #problem: string | undefined = 'it was not reached yet';
  #usableSince = Number.POSITIVE_INFINITY;
  #failedAtWrite = false;
  /** The listeners that the server does not know of yet, by channel. */
  readonly #unsubscribed = new Map<string, (message: string) => void>();
  /** Why the server can never be used with these settings. Found only before it was reached. */
  #refusal: SettingsError | undefined;

  private constructor(create: (options: RedisClientOptions) => RedisClientType, options: ConnectionOptions) {
    const { settings, name, log } = options;
    this.#log = log;
    const { host } = new URL(settings.Urls[0]!);
    this.#address = host;
    this.#commands = create(this.#clientOptions(settings, name));
    this.#messages = create(this.#clientOptions(settings, name));
    for (const client of [this.#commands, this.#messages]) client.on('error', (error) => this.#failed(error));
    this.#commands.on('ready', () => this.#succeeded());
    // A failure is logged, and the next connection tries again.
    this.#messages.on('ready', () => void this.#subscribeAll().catch(() => {}));
  }

  /**
   * Connects. If the server cannot be reached now, the connection is made later.
   * @throws SettingsError if the settings have to be changed
   */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const { createClient } = await loadLibrary();
    const connection = new RedisConnection(createClient as (options: RedisClientOptions) => RedisClientType, options);
    await connection.#connect();
    return connection;
  }

  /** The reason why the store cannot be used; undefined if it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get usableSince(): number {
    return this.#usableSince;
  }

  /** Runs a script. @throws StateUnavailableError */
  run({ text, sha1, isRead }: Script, key: string, args: readonly string[]): Promise<unknown> {
    const rest = ['1', key, ...args];
    return this.#try(isRead, async () => {
      try {
        return await this.#commands.sendCommand(['EVALSHA', sha1, ...rest]);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return this.#commands.sendCommand(['EVAL', text, ...rest]);
      }
    });
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#try(true, () => this.#commands.publish(channel, message));
  }

  /** The library subscribes again after the connection was lost. */
  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    this.#unsubscribed.set(channel, listener);
    if (this.#messages.isReady) await this.#subscribeAll();
  }

  async #subscribeAll(): Promise<void> {
    for (const [channel, listener] of [...this.#unsubscribed]) {
      await this.#try(true, () => this.#messages.subscribe(channel, listener));
      this.#unsubscribed.delete(channel);
    }
  }

  async close(): Promise<void> {
    for (const client of [this.#commands, this.#messages]) {
      client.removeAllListeners('error');
      client.on('error', () => {});
      if (client.isOpen) client.destroy();
    }
  }

  async #connect(): Promise<void> {
    // A failure is found by `#failed`, which every attempt calls.
    const connected = Promise.all([this.#commands.connect(), this.#messages.connect()]).catch(() => {});
    await withTimeout(connected, CONNECT_MS);
    if (this.#refusal === undefined && this.#commands.isReady) {
      this.#refusal = versionProblem(String(await this.#commands.sendCommand(['INFO', 'server'])));
    }
    if (this.#refusal === undefined) return;
    await this.close();
    throw this.#refusal;
  }

  /** @param isRead a success does not show that the store can be written */
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
    const isFirst = this.#usableSince === Number.POSITIVE_INFINITY;
    this.#problem = undefined;
    this.#failedAtWrite = false;
    this.#usableSince = performance.now();
    this.#log.info(isFirst ? 'Connected to the shared state' : 'The shared state can be used again', {
      store: this.#address,
    });
  }

  #failed(error: unknown): void {
    // A command found no connection. Why there is none is known already.
    if (this.#problem !== undefined && (error as Error).constructor.name === 'ClientOfflineError') return;
    const isFirst = this.#usableSince === Number.POSITIVE_INFINITY;
    if (isFirst) this.#refusal ??= configurationProblem(error);
    const reason = reasonOf(error);
    if (this.#problem !== reason) this.#log.error('The shared state cannot be used', { store: this.#address, reason });
    this.#problem = reason;
  }

  #clientOptions({ Urls, Tls, CaFile }: RedisSettings, name: string): RedisClientOptions {
    const url = Tls ? Urls[0]!.replace(/^redis:/i, 'rediss:') : Urls[0]!;
    const isTls = /^rediss:/i.test(url);
    return {
      url,
      name,
      disableOfflineQueue: true,
      commandsQueueMaxLength: MAX_WAITING,
      pingInterval: PING_MS,
      maintNotifications: 'disabled',
      socket: {
        ...(isTls && { tls: true as const, ...(CaFile !== '' && { ca: readCertificates(CaFile) }) }),
        connectTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        reconnectStrategy: (retries: number, cause: Error) => {
          this.#failed(cause);
          return this.#refusal ?? Math.min(50 * 2 ** retries, MAX_RECONNECT_MS);
        },
      },
    } as RedisClientOptions;
  }
}

export interface ConnectionOptions {
  readonly settings: RedisSettings;
  /** The name of the connections, as `CLIENT LIST` shows it. */
  readonly name: string;
  readonly log: Pick<Log, 'info' | 'error'>;
}
