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
 * Limits how many calls of a plugin run at the same time and how many wait, in order; more are TOOL_BUSY
 * (docs/spec/plugins.md#concurrency).
 */
export class PluginConcurrency implements CallInterceptor {
  readonly #calls: PluginQueues;
  readonly #completions: PluginQueues;
  readonly #slots = new WeakMap<InterceptedCall, Slot>();

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
      this.#slots.set(call, admission);
      return undefined;
    }
    if (!(admission instanceof Promise)) return admission;
    return admission.then((slot) => {
      if (slot) this.#slots.set(call, slot);
      return undefined;
    });
  }

  after(call: InterceptedCall): void {
    this.#slots.get(call)?.release();
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
    if (queue.running < this.limits.maxConcurrentCalls) return new Slot(queue);
    if (queue.waiting.length >= this.limits.maxQueuedCalls) return busy(plugin, queue, this.limits);
    return waitForSlot(queue, signal);
  }
}

class Slot {
  readonly #startedAt = performance.now();

  constructor(private readonly queue: PluginQueue) {
    queue.running += 1;
  }

  /** Once. */
  release(): void {
    const { queue } = this;
    queue.running -= 1;
    queue.typicalMs += (performance.now() - this.#startedAt - queue.typicalMs) / 4;
    queue.waiting.shift()?.grant();
  }
}

function waitForSlot(queue: PluginQueue, signal: CancelSignal): Promise<Slot | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => {
      const at = queue.waiting.indexOf(waiting);
      if (at >= 0) queue.waiting.splice(at, 1);
      resolve(undefined);
    };
    const waiting: WaitingCall = {
      grant() {
        signal.removeEventListener('abort', giveUp);
        resolve(new Slot(queue));
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
