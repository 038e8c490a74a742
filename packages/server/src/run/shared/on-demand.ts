import { setTimeout as delay } from 'node:timers/promises';
import type { CallChannel, PluginProblem } from '@mortise/plugin/runtime';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import { PluginUnavailableError, raceWithAbort } from './runner-errors.js';

/*
 * Starts what runs a plugin when it is first used, and ends it when it was not used for some time. The states:
 * - stopped: nothing runs. The next use starts it. Where the last start failed, `failure` says why.
 * - starting: all uses wait for the same start. It first waits out the pause that the crashes before it require; a use
 *   during such a pause gets the last failure at once, if there is one. A start that fails counts as a crash.
 * - started: uses run on it. When the last one has ended the idle time begins; when that is over it is ended in order, or
 *   at once after `dispose`, unless it is still needed. A use begins a new idle time.
 * From started it goes to stopped when it was ended or retired, or when it ended by itself, which counts as a crash.
 * What is retired gets no further uses: it is ended in order when the last use on it has ended.
 */

/** What is started: a process with a plugin loaded, or a connection to a mounted server. */
export interface Startable {
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<ProcessExitedError>;
}

export interface OnDemandOptions<T extends Startable> {
  readonly backoff: RestartBackoff;
  /** Unused for this long it is ended, in milliseconds. */
  readonly idleMs: number;
  /** Starts it; it counts as busy. @throws ProcessExitedError, PluginUnavailableError */
  start(): Promise<T>;
  /** Ends it in order. */
  end(started: T): Promise<void>;
  /** Its first use began, or its last one ended. */
  setBusy(started: T, isBusy: boolean): void;
  /** Whether it is still needed although its idle time is over. */
  isNeeded(started: T): boolean;
  /** While it is not known whether it still answers: a use that comes meanwhile waits, and so does not end with it. */
  livenessProbe(): Promise<void> | undefined;
  /** It ended by itself; the reason says for how long it is not started again. */
  onEnded(reason: string): void;
  /** Why it cannot be used, where it ended while it was being started. */
  toProblem(ended: ProcessExitedError): PluginProblem;
  /** A start failed. */
  onUnavailable?(problem: PluginProblem): void;
}

interface Started<T> {
  readonly value: T;
  uses: number;
  /** It has answered a call: what crashes it later is not its start. */
  hasAnswered: boolean;
}

type State<T> =
  | { readonly name: 'stopped'; readonly failure?: PluginUnavailableError }
  | { readonly name: 'starting'; readonly start: Promise<Started<T>> }
  | { readonly name: 'started'; readonly started: Started<T> };

/** One lifecycle for everything that runs a plugin outside of the server. */
export class OnDemand<T extends Startable> {
  readonly #options: OnDemandOptions<T>;
  #state: State<T> = { name: 'stopped' };
  /** Those that wait for a start, too. */
  #uses = 0;
  #idleSince = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: OnDemandOptions<T>) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#state.name === 'stopped';
  }

  /** What is started now. */
  get current(): T | undefined {
    return this.#started?.value;
  }

  /**
   * Starts it if necessary and runs `work` with it; it is not ended during this.
   * @param channel of the call that waits for it
   * @throws PluginUnavailableError, CallAbandonedError, and what `work` throws
   */
  async use<R>(channel: CallChannel | undefined, work: (started: T) => Promise<R>): Promise<R> {
    this.#uses += 1;
    if (this.#uses === 1 && this.#started) this.#options.setBusy(this.#started.value, true);
    let used: Started<T> | undefined;
    try {
      for (let probe = this.#options.livenessProbe(); probe; probe = this.#options.livenessProbe())
        await unlessAborted(probe, channel);
      used = this.#started ?? (await this.#startFor(channel));
      used.uses += 1;
      const result = await work(used.value);
      if (channel) used.hasAnswered = true;
      return result;
    } finally {
      this.#uses -= 1;
      if (used) used.uses -= 1;
      if (used && used !== this.#started) this.#endRetired(used);
      this.#rest();
    }
  }

  /** The next use starts another one; this one is ended when it is no longer in use. */
  retire(value: T): void {
    const started = this.#started;
    if (started?.value !== value) return;
    this.#state = { name: 'stopped' };
    this.#endRetired(started);
  }

  /** It is found not to work: retired, which counts as a crash. */
  lose(value: T, reason: string): void {
    const started = this.#started;
    if (started?.value !== value) return;
    // Retired first, because the callback may need the next one.
    this.retire(value);
    this.#crashed(started, reason);
  }

  /** Ends it unless it is being used. */
  async endIfUnused(): Promise<void> {
    if (this.#uses === 0) await this.#end();
  }

  /** Ends it once nothing uses it; does not wait for that. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#idleTimer);
    await this.endIfUnused();
  }

  get #started(): Started<T> | undefined {
    return this.#state.name === 'started' ? this.#state.started : undefined;
  }

  /** A call that is aborted meanwhile keeps saying that it waited for the start. @throws PluginUnavailableError, CallAbandonedError */
  async #startFor(channel: CallChannel | undefined): Promise<Started<T>> {
    if (channel) channel.isStarting = true;
    const started = await unlessAborted(this.#start(), channel);
    if (channel) channel.isStarting = false;
    return started;
  }

  /** For all who wait for it. @throws PluginUnavailableError */
  async #start(): Promise<Started<T>> {
    if (this.#state.name === 'starting') return this.#state.start;
    const failure = this.#state.name === 'stopped' ? this.#state.failure : undefined;
    const pauseMs = this.#options.backoff.nextMs();
    if (pauseMs > 0 && failure) throw failure;
    const start = this.#startAfter(pauseMs).finally(() => this.#rest());
    this.#state = { name: 'starting', start };
    return start;
  }

  /** @throws PluginUnavailableError */
  async #startAfter(pauseMs: number): Promise<Started<T>> {
    const { backoff, start, toProblem, onUnavailable } = this.#options;
    await (pauseMs > 0 && delay(pauseMs, undefined, { ref: false }));
    try {
      const value = await start();
      const started = { value, uses: 0, hasAnswered: false };
      this.#state = { name: 'started', started };
      void value.ended.then(({ reason }) => this.#ended(started, reason));
      return started;
    } catch (error) {
      this.#state = { name: 'stopped' };
      backoff.crashed(false);
      if (!(error instanceof ProcessExitedError || error instanceof PluginUnavailableError)) throw error;
      const failure = error instanceof PluginUnavailableError ? error : new PluginUnavailableError(toProblem(error));
      this.#state = { name: 'stopped', failure };
      onUnavailable?.(failure.problem);
      throw failure;
    }
  }

  #ended(started: Started<T>, reason: string): void {
    if (this.#started !== started) return;
    this.#state = { name: 'stopped' };
    this.#crashed(started, reason);
  }

  #crashed({ hasAnswered }: Started<T>, reason: string): void {
    const { backoff, onEnded } = this.#options;
    backoff.crashed(hasAnswered);
    const pauseMs = Math.round(backoff.nextMs());
    onEnded(pauseMs === 0 ? reason : `${reason}; it is not started again for ${pauseMs} ms`);
  }

  #endRetired({ uses, value }: Started<T>): void {
    if (uses === 0) void this.#options.end(value);
  }

  /** The idle time begins, unless something is running. */
  #rest(): void {
    if (!this.#started || this.#uses > 0) return;
    this.#options.setBusy(this.#started.value, false);
    if (this.#isDisposed) void this.#end();
    else {
      this.#idleSince = performance.now();
      this.#idleTimer ??= setTimeout(this.#endIfIdle, this.#options.idleMs).unref();
    }
  }

  /** The timer is left alone by the calls that come meanwhile, and looks again: thousands may come in a second. */
  readonly #endIfIdle = () => {
    this.#idleTimer = undefined;
    if (!this.#started || this.#uses > 0) return;
    const { idleMs, isNeeded } = this.#options;
    const leftMs = this.#idleSince + idleMs - performance.now();
    if (leftMs > 0) this.#idleTimer = setTimeout(this.#endIfIdle, leftMs).unref();
    else if (isNeeded(this.#started.value)) this.#idleTimer = setTimeout(this.#endIfIdle, idleMs).unref();
    else void this.#end();
  };

  async #end(): Promise<void> {
    const started = this.#started;
    if (!started) return;
    this.#state = { name: 'stopped' };
    await this.#options.end(started.value);
  }
}

function unlessAborted<R>(promise: Promise<R>, channel: CallChannel | undefined): Promise<R> {
  return channel ? raceWithAbort(promise, channel) : promise;
}
