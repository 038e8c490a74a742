import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { Slot, SlotQueue } from '../../util/slot-queue.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { CallInterceptor, CallOwner, InterceptedCall } from './call-interceptor.js';

export interface ConcurrencyLimits {
  maxConcurrentCalls: number;
  maxQueuedCalls: number;
}

/**
 * The limits of completions as a share of those of calls. Completions have slots of their own, because clients request
 * them at every key press.
 */
const COMPLETION_SHARE = 1 / 4;

/**
 * Limits how many calls of each plugin run and how many wait. Waiting calls start in the order in which they came, and
 * calls beyond both limits fail with TOOL_BUSY. A call holds no slot while its questions are open
 * (docs/spec/plugin-processes.md#concurrency).
 */
export class PluginConcurrency implements CallInterceptor {
  readonly #calls: PluginQueues;
  readonly #completions: PluginQueues;

  constructor(limits: ConcurrencyLimits) {
    this.#calls = new PluginQueues(limits, 1);
    this.#completions = new PluginQueues(limits, COMPLETION_SHARE);
  }

  /** The number of running and of waiting calls and completions of all plugins. */
  get counts(): { running: number; waiting: number } {
    const queues = [...this.#calls.all, ...this.#completions.all];
    const sum = (countOf: (queue: SlotQueue) => number) => queues.reduce((total, queue) => total + countOf(queue), 0);
    return { running: sum(({ running }) => running), waiting: sum(({ waiting }) => waiting) };
  }

  before(call: InterceptedCall): ErrorOutcome | undefined | Promise<undefined> {
    const queues = call.kind === 'completion' || call.kind === 'list' ? this.#completions : this.#calls;
    const queue = queues.of(call.owner);
    const admission = queue.enter(call.ended);
    if (admission === undefined) return busy(call.owner.plugin, queue);
    if (!(admission instanceof Promise)) {
      call.slot = admission;
      return undefined;
    }
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

class PluginQueues {
  readonly #queueByPath = new Map<string, SlotQueue>();

  /** @param share multiplies the limits */
  constructor(
    private readonly limits: ConcurrencyLimits,
    private readonly share: number,
  ) {}

  get all(): Iterable<SlotQueue> {
    return this.#queueByPath.values();
  }

  of({ path, runner }: CallOwner): SlotQueue {
    let queue = this.#queueByPath.get(path);
    if (!queue) {
      const { maxConcurrentCalls, maxQueuedCalls } = this.limits;
      const maxRunning = Math.min(maxConcurrentCalls, runner?.maxConcurrentCalls ?? maxConcurrentCalls);
      queue = new SlotQueue({
        maxRunning: Math.ceil(maxRunning * this.share),
        maxWaiting: Math.ceil(maxQueuedCalls * this.share),
      });
      this.#queueByPath.set(path, queue);
    }
    return queue;
  }
}

function busy(plugin: string, { running, waiting, retryAfterMs }: SlotQueue): ErrorOutcome {
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
