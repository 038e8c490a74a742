import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { LOCAL } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { hasLimits, limitsOf } from '../../settings/effective-limits.js';
import type { Settings } from '../../settings/settings.js';
import { Slot, SlotQueue } from '../../util/slot-queue.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';
import { CallerRate } from './caller-rate.js';
import { rateLimited } from './rate-limited.js';

/** What one principal has used of its limits. */
interface Usage {
  readonly limits: CallerLimits;
  readonly rate: CallerRate | undefined;
  readonly queue: SlotQueue | undefined;
}

/**
 * Limits how often a principal calls, and how many of its calls run at once: one principal at its limits is not in the way
 * of others (docs/spec/access.md#limits). Completions and lists do not count.
 */
export class CallerLimiter implements CallInterceptor {
  readonly #settings: Settings;
  /** By the principal's name. */
  readonly #usages = new Map<string, Usage>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Whether any principal has such limits. */
  static isNeeded(settings: Settings): boolean {
    return hasLimits(settings, 'CallsPerSecond', 'ConcurrentCalls');
  }

  before(call: InterceptedCall): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined> {
    if (call.kind === 'completion' || call.kind === 'list') return undefined;
    const usage = this.#usageOf(call.caller);
    return usage.rate?.consume() ?? enter(call, usage);
  }

  asks({ callerSlot, ended }: InterceptedCall): (() => Promise<void>) | undefined {
    if (!(callerSlot instanceof Slot)) return undefined;
    callerSlot.pause();
    return () => callerSlot.resume(ended);
  }

  after({ callerSlot }: InterceptedCall): void {
    if (callerSlot instanceof Slot) callerSlot.release();
  }

  /** How many calls of a principal run and wait. */
  countsOf(name: string): { readonly running: number; readonly waiting: number } {
    const { running = 0, waiting = 0 } = this.#usages.get(name)?.queue ?? {};
    return { running, waiting };
  }

  #usageOf(caller: Caller): Usage {
    const { principal = LOCAL } = caller;
    let usage = this.#usages.get(principal.name);
    if (!usage) {
      usage = toUsage(limitsOf(this.#settings, principal));
      this.#usages.set(principal.name, usage);
    }
    return usage;
  }
}

function toUsage(limits: CallerLimits): Usage {
  const { CallsPerSecond, ConcurrentCalls, QueuedCalls = 0, QueueMs } = limits;
  const rate = CallsPerSecond === undefined ? undefined : new CallerRate({ ...limits, CallsPerSecond });
  const queue =
    ConcurrentCalls === undefined
      ? undefined
      : new SlotQueue({ maxRunning: ConcurrentCalls, maxWaiting: QueuedCalls, maxWaitMs: QueueMs });
  return { limits, rate, queue };
}

/** Takes a slot, now or when one is free. */
function enter(
  call: InterceptedCall,
  { queue, limits }: Usage,
): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined> {
  if (!queue) return undefined;
  const admission = queue.enter(call.ended);
  if (admission === undefined) return full(queue, limits);
  if (admission instanceof Slot) {
    call.callerSlot = admission;
    return undefined;
  }
  return admission.then((slot) => {
    call.callerSlot = slot;
    return slot || call.ended.aborted ? undefined : waitedTooLong(queue, limits);
  });
}

function full({ retryAfterMs }: SlotQueue, { ConcurrentCalls, QueuedCalls = 0 }: CallerLimits): ErrorOutcome {
  const waiting = QueuedCalls === 0 ? '' : ` and ${QueuedCalls} wait`;
  return rateLimited('ConcurrentCalls', {
    what: `${ConcurrentCalls} calls run${waiting}, the most that are allowed`,
    retryAfterMs,
  });
}

function waitedTooLong({ retryAfterMs }: SlotQueue, { QueueMs }: CallerLimits): ErrorOutcome {
  return rateLimited('QueueMs', { what: `it waited for ${QueueMs} ms, the longest that is allowed`, retryAfterMs });
}
