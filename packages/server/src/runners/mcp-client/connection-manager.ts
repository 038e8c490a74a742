import { setTimeout as delay } from 'node:timers/promises';
import type { CallChannel, PluginProblem } from '@mortise/plugin/runtime';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import type { McpServerEntry } from '../../settings/settings.js';
import { PluginUnavailableError, ProcessExitedError, raceWithAbort } from '../shared/runner-errors.js';
import type { Connection, ConnectOptions } from './connect.js';

export interface ConnectionManagerOptions {
  readonly entry: McpServerEntry;
  readonly backoff: RestartBackoff;
  /** Without a call for this long the connection ends. */
  readonly idleMs: number;
  readonly connect: Omit<ConnectOptions, 'onLost'>;
  /** Something is running, or nothing any more. */
  onBusy(isBusy: boolean): void;
  /** Before it is started or reached. @throws PluginUnavailableError where that would be of no use */
  onOpening(): void;
  /** A new connection, before it is used. @throws ProcessExitedError when it ends meanwhile, PluginUnavailableError when it is of no use */
  onOpen(connection: Connection): Promise<void>;
  /** Whether the connection is needed although no call is running. */
  mustStayOpen(connection: Connection): boolean;
  /** It ended although it was needed. */
  onEnded(reason: string): void;
  /** What is to be said of a connection that could not be opened. */
  toProblem(ended: ProcessExitedError): PluginProblem;
  /** It was needed, and could not be opened. */
  onUnavailable(problem: PluginProblem): void;
}

interface Open {
  readonly connection: Connection;
  readonly openedAt: number;
  uses: number;
}

/** The connection to a mounted server: opened when it is first needed, and again after it ended, with growing pauses. */
export class ConnectionManager {
  readonly #options: ConnectionManagerOptions;
  #open: Open | undefined;
  #opening: Promise<Open> | undefined;
  #unavailable: PluginUnavailableError | undefined;
  #running = 0;
  #idleSince = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ConnectionManagerOptions) {
    this.#options = options;
  }

  isCurrent(connection: Connection): boolean {
    return this.#open?.connection === connection;
  }

  /**
   * Does something with the connection, which stays open meanwhile.
   * @param channel of the call that waits for it
   * @throws PluginUnavailableError, CallAbandonedError, and what `work` throws
   */
  async use<T>(channel: CallChannel | undefined, work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#running += 1;
    if (this.#running === 1) this.#options.onBusy(true);
    let open: Open | undefined;
    try {
      open = this.#open ?? (await (channel ? raceWithAbort(this.#ready(), channel) : this.#ready()));
      open.uses += 1;
      return await work(open.connection);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#options.onBusy(false);
      if (open) this.#release(open);
    }
  }

  /** What the server sent took so many milliseconds more to work through. */
  charge(ms: number): void {
    this.#open?.connection.charge?.(ms);
  }

  /** Who comes next gets another connection; this one ends when no one uses it any more. */
  closeWhenIdle(connection: Connection): void {
    const open = this.#open;
    if (open?.connection !== connection) return;
    this.#open = undefined;
    if (open.uses === 0) void connection.close();
  }

  /** Ends the connection unless something is running. */
  async closeIfIdle(): Promise<void> {
    if (this.#running === 0) await this.#end();
  }

  /** Ends the connection once nothing is running; does not wait for that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.closeIfIdle();
  }

  #ready(): Promise<Open> {
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
      this.#closeIfIdle();
    });
    return this.#opening;
  }

  /** Waits out the pause after crashes. @throws PluginUnavailableError */
  async #start(): Promise<Open> {
    const { backoff, toProblem, onUnavailable } = this.#options;
    const delayMs = backoff.nextMs();
    if (delayMs > 0 && this.#unavailable) throw this.#unavailable;
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    try {
      const open = await this.#openNow();
      this.#open = open;
      this.#unavailable = undefined;
      void open.connection.ended.then(({ reason }) => this.#ended(open, reason));
      return open;
    } catch (error) {
      backoff.crashed(0);
      if (!(error instanceof ProcessExitedError || error instanceof PluginUnavailableError)) throw error;
      this.#unavailable =
        error instanceof PluginUnavailableError ? error : new PluginUnavailableError(toProblem(error));
      onUnavailable(this.#unavailable.problem);
      throw this.#unavailable;
    }
  }

  /** @throws ProcessExitedError, PluginUnavailableError */
  async #openNow(): Promise<Open> {
    const { entry, connect: events, onOpening, onOpen } = this.#options;
    onOpening();
    // The SDK's client is loaded by who needs it.
    const { connect } = await import('./connect.js');
    const connection: Connection = await connect(entry, { ...events, onLost: () => this.#lost(connection) });
    try {
      await onOpen(connection);
    } catch (error) {
      connection.kill('what it offers cannot be used');
      throw error;
    }
    return { connection, openedAt: performance.now(), uses: 0 };
  }

  #lost(connection: Connection): void {
    const open = this.#open;
    if (open?.connection !== connection) return;
    // Retired first: who is told of the end may want the next one.
    this.closeWhenIdle(connection);
    this.#crashed(open, 'the connection to it was lost');
  }

  #ended(open: Open, reason: string): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#crashed(open, reason);
  }

  #crashed({ openedAt }: Open, reason: string): void {
    const { backoff, onEnded } = this.#options;
    backoff.crashed(performance.now() - openedAt);
    const delayMs = Math.round(backoff.nextMs());
    onEnded(delayMs === 0 ? reason : `${reason}; it is not started again for ${delayMs} ms`);
  }

  #release(open: Open): void {
    open.uses -= 1;
    if (open === this.#open) this.#closeIfIdle();
    else if (open.uses === 0) void open.connection.close();
  }

  #closeIfIdle(): void {
    if (!this.#open || this.#running > 0) return;
    if (this.#isClosed) void this.#end();
    else {
      this.#idleSince = performance.now();
      this.#idleTimer ??= setTimeout(this.#endIfIdle, this.#options.idleMs).unref();
    }
  }

  /** The timer is left alone by the calls that come meanwhile, and looks again. */
  readonly #endIfIdle = () => {
    this.#idleTimer = undefined;
    if (!this.#open || this.#running > 0) return;
    const { idleMs, mustStayOpen } = this.#options;
    const leftMs = this.#idleSince + idleMs - performance.now();
    if (leftMs > 0) this.#idleTimer = setTimeout(this.#endIfIdle, leftMs).unref();
    else if (mustStayOpen(this.#open.connection)) this.#idleTimer = setTimeout(this.#endIfIdle, idleMs).unref();
    else void this.#end();
  };

  async #end(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.connection.close();
  }
}
