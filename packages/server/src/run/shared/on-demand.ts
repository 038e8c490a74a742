import { setTimeout as delay } from 'node:timers/promises';
import type { CallChannel, PluginProblem } from '@mortise/plugin/runtime';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import { PluginUnavailableError, raceWithAbort } from './runner-errors.js';

/*
 * Starts a process or a connection when it is first used, and ends it after an idle time. Below, both are called the
 * instance. There are three states:
 * - stopped: there is no instance. The next use starts one. If the last start failed, `failure` has the reason.
 * - starting: all uses wait for the same start. After crashes the start begins with a pause; a use during the pause gets
 *   the last failure immediately, if there is one. A start that fails counts as a crash.
 * - started: uses run on the instance. When the last use ends, the idle time begins. After it the instance is closed,
 *   unless it is still needed. After `dispose` it is closed as soon as it is idle.
 * An instance that ends by itself counts as a crash. A retired instance gets no further uses, and is closed when its last
 * use has ended.
 */

/** An instance: a process that has loaded a plugin, or a connection to a mounted server. */
export interface Startable {
  /** Resolves when the instance has ended, for whatever reason. */
  readonly ended: Promise<ProcessExitedError>;
}

export interface OnDemandOptions<T extends Startable> {
  readonly backoff: RestartBackoff;
  /** The instance is closed when it has not been used for this time (`Plugins.IdleMs`). */
  readonly idleMs: number;
  /** Starts an instance, which counts as busy. @throws ProcessExitedError, PluginUnavailableError */
  start(): Promise<T>;
  /** Closes the instance in an orderly way. */
  end(started: T): Promise<void>;
  /** Called when the first use of the instance begins, and when the last one ends. */
  setBusy(started: T, isBusy: boolean): void;
  /** Returns true if the instance must stay although its idle time is over. */
  isNeeded(started: T): boolean;
  /** Returns the pending liveness probe, if any. New uses wait for it, because the instance may be killed after it. */
  livenessProbe(): Promise<void> | undefined;
  /** Called when the instance has ended by itself. The reason includes the pause before the next start. */
  onEnded(reason: string): void;
  /** Returns the problem of an instance that ended while it was starting. */
  toProblem(ended: ProcessExitedError): PluginProblem;
  /** Called when a start has failed. */
  onUnavailable?(problem: PluginProblem): void;
}

interface Started<T> {
  readonly value: T;
  uses: number;
  /** True if the instance has answered a call. A crash is then not counted as a failed start. */
  hasAnswered: boolean;
}

type State<T> =
  | { readonly name: 'stopped'; readonly failure?: PluginUnavailableError }
  | { readonly name: 'starting'; readonly start: Promise<Started<T>> }
  | { readonly name: 'started'; readonly started: Started<T> };

/** The lifecycle of everything that runs a plugin outside of the server. */
export class OnDemand<T extends Startable> {
  readonly #options: OnDemandOptions<T>;
  #state: State<T> = { name: 'stopped' };
  /** Includes the uses that wait for a start. */
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

  /** The instance, if one is started. */
  get current(): T | undefined {
    return this.#started?.value;
  }

  /**
   * Starts an instance if necessary and runs `work` with it. The instance is not closed before `work` ends.
   * @param channel the call that waits, if any
   * @throws PluginUnavailableError, CallAbandonedError, and everything that `work` throws
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
      this.#beginIdleTime();
    }
  }

  /** Retires the instance: the next use starts another one, and this one is closed when its uses have ended. */
  retire(value: T): void {
    const started = this.#started;
    if (started?.value !== value) return;
    this.#state = { name: 'stopped' };
    this.#endRetired(started);
  }

  /** Retires an instance that was found not to work. This counts as a crash. */
  lose(value: T, reason: string): void {
    const started = this.#started;
    if (started?.value !== value) return;
    // Retire the instance first, because the callback may start the next one.
    this.retire(value);
    this.#crashed(started, reason);
  }

  /** Closes the instance unless it is in use. */
  async endIfUnused(): Promise<void> {
    if (this.#uses === 0) await this.#end();
  }

  /** Closes the instance when its last use has ended. Does not wait for that use. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#idleTimer);
    await this.endIfUnused();
  }

  get #started(): Started<T> | undefined {
    return this.#state.name === 'started' ? this.#state.started : undefined;
  }

  /** Waits for a start. A call that is aborted meanwhile keeps `isStarting`. @throws PluginUnavailableError, CallAbandonedError */
  async #startFor(channel: CallChannel | undefined): Promise<Started<T>> {
    if (channel) channel.isStarting = true;
    const started = await unlessAborted(this.#start(), channel);
    if (channel) channel.isStarting = false;
    return started;
  }

  /** Begins a start, or joins the one that is in progress. @throws PluginUnavailableError */
  async #start(): Promise<Started<T>> {
    if (this.#state.name === 'starting') return this.#state.start;
    const failure = this.#state.name === 'stopped' ? this.#state.failure : undefined;
    const pauseMs = this.#options.backoff.nextMs();
    if (pauseMs > 0 && failure) throw failure;
    const start = this.#startAfter(pauseMs).finally(() => this.#beginIdleTime());
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

  /** Begins the idle time, unless a use is running. */
  #beginIdleTime(): void {
    if (!this.#started || this.#uses > 0) return;
    this.#options.setBusy(this.#started.value, false);
    if (this.#isDisposed) void this.#end();
    else {
      this.#idleSince = performance.now();
      this.#idleTimer ??= setTimeout(this.#endIfIdle, this.#options.idleMs).unref();
    }
  }

  /** Waits again if the instance was used meanwhile. Restarting the timer at each of thousands of calls would cost more. */
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
