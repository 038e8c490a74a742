import type { CancelSignal } from '@mortise/mcp/util';
import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { PluginRef } from '../../core/snapshot.js';
import { errorOutcome } from '../../results/error-outcomes.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';

export interface ConcurrencyLimits {
  /** Calls of one plugin that run at the same time. */
  maxConcurrentCalls: number;
  /** Calls of one plugin that wait. */
  maxQueuedCalls: number;
}

/** Completions are requested at every key press: a plugin has a quarter as many slots and queue entries for them, separate from those of calls. */
const COMPLETION_SHARE = 1 / 4;

/**
 * Limits how many calls of a plugin run at the same time and how many wait, in order; more are TOOL_BUSY. A call whose
 * questions are open has no slot (docs/spec/plugins.md#concurrency).
 */
export class PluginConcurrency implements CallInterceptor {
  readonly #calls: PluginQueues;
  readonly #completions: PluginQueues;

  constructor(limits: ConcurrencyLimits) {
    this.#calls = new PluginQueues(limits);
    this.#completions = new PluginQueues({
      maxConcurrentCalls: Math.ceil(limits.maxConcurrentCalls * COMPLETION_SHARE),
      maxQueuedCalls: Math.ceil(limits.maxQueuedCalls * COMPLETION_SHARE),
    });
  }

  before(call: InterceptedCall): ErrorOutcome | undefined | Promise<undefined> {
    const queues = call.kind === 'completion' || call.kind === 'list' ? this.#completions : this.#calls;
    const admission = queues.enter(call.owner, call.ended);
    if (admission instanceof Slot) {
      call.slot = admission;
      return undefined;
    }
    if (!(admission instanceof Promise)) return admission;
    return admission.then((slot) => {
      call.slot = slot;
      return undefined;
    });
  }

  asks(call: InterceptedCall): (() => Promise<void>) | undefined {
    const { slot } = call;
    if (!(slot instanceof Slot)) return undefined;
    slot.pause();
    return () => slot.resume(call.ended);
  }

  after(call: InterceptedCall): void {
    if (call.slot instanceof Slot) call.slot.release();
  }
}

interface WaitingCall {
  grant(): void;
}

interface PluginQueue {
  running: number;
  /** In order. */
  waiting: WaitingCall[];
  /** How long a call took recently, in milliseconds. */
  typicalMs: number;
}

/** The queue of each plugin. */
class PluginQueues {
  readonly #queues = new Map<string, PluginQueue>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** @returns a slot, TOOL_BUSY if the queue is full, or a promise of a slot, which is undefined if the signal fires first */
  enter({ plugin, path }: PluginRef, signal: CancelSignal): Slot | ErrorOutcome | Promise<Slot | undefined> {
    let queue = this.#queues.get(path);
    if (!queue) {
      queue = { running: 0, waiting: [], typicalMs: 0 };
      this.#queues.set(path, queue);
    }
    const { maxConcurrentCalls, maxQueuedCalls } = this.limits;
    if (queue.running < maxConcurrentCalls) return new Slot(queue, maxConcurrentCalls);
    if (queue.waiting.length >= maxQueuedCalls) return busy(plugin, queue, this.limits);
    const own = queue;
    return waitForTurn(own, signal, () => new Slot(own, maxConcurrentCalls));
  }
}

/** The turn of one call. It is given up while the call's questions are open. */
class Slot {
  #startedAt = performance.now();
  #isHeld = true;
  #isReleased = false;
  #openQuestions = 0;

  constructor(
    private readonly queue: PluginQueue,
    private readonly maxRunning: number,
  ) {
    queue.running += 1;
  }

  /** Once. */
  release(): void {
    this.#isReleased = true;
    this.#giveUp();
  }

  /** A question is open from here on. */
  pause(): void {
    this.#openQuestions += 1;
    this.#giveUp();
  }

  /** A question is answered: after the last one the call waits again, behind those that wait already. */
  async resume(signal: CancelSignal): Promise<void> {
    this.#openQuestions -= 1;
    if (!this.#isWanted) return;
    if (this.queue.running < this.maxRunning) this.#take();
    else await waitForTurn(this.queue, signal, () => this.#take());
  }

  /** Not while another question is open, and not once the call has ended. */
  get #isWanted(): boolean {
    return this.#openQuestions === 0 && !this.#isReleased && !this.#isHeld;
  }

  #take(): void {
    this.queue.running += 1;
    this.#startedAt = performance.now();
    this.#isHeld = true;
    // While it waited, the call may have ended, or asked again.
    if (this.#isReleased || this.#openQuestions > 0) this.#giveUp();
  }

  #giveUp(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    const { queue } = this;
    queue.running -= 1;
    queue.typicalMs += (performance.now() - this.#startedAt - queue.typicalMs) / 4;
    queue.waiting.shift()?.grant();
  }
}

/** @returns what `take` does with the turn; undefined if the signal fires first */
function waitForTurn<T>(queue: PluginQueue, signal: CancelSignal, take: () => T): Promise<T | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => {
      const at = queue.waiting.indexOf(waiting);
      if (at >= 0) queue.waiting.splice(at, 1);
      resolve(undefined);
    };
    const waiting: WaitingCall = {
      grant() {
        signal.removeEventListener('abort', giveUp);
        resolve(take());
      },
    };
    queue.waiting.push(waiting);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}

function busy(plugin: string, queue: PluginQueue, limits: ConcurrencyLimits): ErrorOutcome {
  const { running, typicalMs } = queue;
  const waiting = queue.waiting.length;
  const retryAfterMs = Math.max(100, Math.ceil((typicalMs * (waiting + 1)) / limits.maxConcurrentCalls));
  return errorOutcome(
    'TOOL_BUSY',
    `The plugin '${plugin}' is busy: ${running} calls are running and ${waiting} are queued, the most that are allowed`,
    {
      hint: `Try again in about ${retryAfterMs} ms. The limits are Plugins.MaxConcurrentCalls and Plugins.MaxQueuedCalls.`,
      data: {
        exitCode: -1,
        additionalData: { plugin, running: `${running}`, waiting: `${waiting}`, retryAfterMs: `${retryAfterMs}` },
      },
    },
  );
}
