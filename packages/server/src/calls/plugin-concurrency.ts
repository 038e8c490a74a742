import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { PluginRef } from '../core/snapshot.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { CancelSignal } from '../util/cancel-signal.js';

export interface ConcurrencyLimits {
  /** Calls of one plugin that run at once. */
  maxConcurrentCalls: number;
  /** Calls of one plugin that wait. */
  maxQueuedCalls: number;
}

/** A place among the running calls of a plugin. */
export interface Admission {
  release(): void;
}

/** Waits in order for a place; TOOL_BUSY when the queue is full, undefined when the signal fired first. */
export type PluginConcurrency = (
  owner: PluginRef,
  signal: CancelSignal,
) => Admission | ErrorOutcome | Promise<Admission | undefined>;

interface Waiting {
  grant(): void;
}

interface PluginQueue {
  running: number;
  /** In order. */
  waiting: Waiting[];
  /** How long a call took of late, in milliseconds. */
  typicalMs: number;
}

/** Completions come with every key that a user presses: of a plugin's slots and queue they have a quarter as many of their own. */
const COMPLETION_SHARE = 1 / 4;

/** The limits of completions, which take no place from calls. */
export function limitsOfCompletions({ maxConcurrentCalls, maxQueuedCalls }: ConcurrencyLimits): ConcurrencyLimits {
  return {
    maxConcurrentCalls: Math.ceil(maxConcurrentCalls * COMPLETION_SHARE),
    maxQueuedCalls: Math.ceil(maxQueuedCalls * COMPLETION_SHARE),
  };
}

/** How many calls of a plugin may run at once, and how many may wait (docs/spec/plugins.md#concurrency). */
export function createPluginConcurrency(limits: ConcurrencyLimits): PluginConcurrency {
  const queues = new Map<string, PluginQueue>();

  return ({ plugin, path }, signal) => {
    let queue = queues.get(path);
    if (!queue) {
      queue = { running: 0, waiting: [], typicalMs: 0 };
      queues.set(path, queue);
    }
    if (queue.running < limits.maxConcurrentCalls) return new Slot(queue);
    if (queue.waiting.length >= limits.maxQueuedCalls) return busy(plugin, queue, limits);
    return wait(queue, signal);
  };
}

class Slot implements Admission {
  readonly #startedAt = performance.now();
  #queue: PluginQueue | undefined;

  constructor(queue: PluginQueue) {
    queue.running += 1;
    this.#queue = queue;
  }

  release(): void {
    const queue = this.#queue;
    if (!queue) return;
    this.#queue = undefined;
    queue.running -= 1;
    queue.typicalMs += (performance.now() - this.#startedAt - queue.typicalMs) / 4;
    queue.waiting.shift()?.grant();
  }
}

function wait(queue: PluginQueue, signal: CancelSignal): Promise<Admission | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => {
      const at = queue.waiting.indexOf(waiting);
      if (at >= 0) queue.waiting.splice(at, 1);
      resolve(undefined);
    };
    const waiting: Waiting = {
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
    `The plugin '${plugin}' is busy: ${running} calls are running and ${waiting} are waiting, which is as many as may`,
    {
      hint: `Try again in about ${retryAfterMs} ms. The limits are Plugins.MaxConcurrentCalls and Plugins.MaxQueuedCalls.`,
      data: {
        exitCode: -1,
        additionalData: { plugin, running: `${running}`, waiting: `${waiting}`, retryAfterMs: `${retryAfterMs}` },
      },
    },
  );
}
