import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { LOCAL } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { hasLimits, limitsOf } from '../../settings/effective-limits.js';
import type { Settings } from '../../settings/settings.js';
import type { SharedRates } from '../../state/shared-rates.js';
import { Slot, SlotQueue } from '../../util/slot-queue.js';
import type { CallInterceptor, InterceptedCall } from './call-interceptor.js';
import { CallerRate } from './caller-rate.js';
import { rateLimited } from './rate-limited.js';
import type { SharedCallerRate } from './shared-caller-rate.js';

/** The limits of one principal and their current use. */
interface Usage {
  readonly limits: CallerLimits;
  readonly rate: { consume(): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined> } | undefined;
  readonly queue: SlotQueue | undefined;
}

/**
 * Limits the rate and the number of concurrent calls of each principal, so that one principal cannot block the others
 * (docs/spec/access.md#limits). Completions and lists are not counted.
 */
export class CallerLimiter implements CallInterceptor {
  readonly #settings: Settings;
  readonly #rates: SharedRates | undefined;
  readonly #usageByPrincipal = new Map<string, Usage>();

  /** @param rates counts the calls of all replicas; without it each replica applies the limits to its own calls */
  constructor(settings: Settings, rates?: SharedRates) {
    this.#settings = settings;
    this.#rates = rates;
  }

  /** True if the settings limit any principal. */
  static isNeeded(settings: Settings): boolean {
    return hasLimits(settings, 'CallsPerSecond', 'ConcurrentCalls');
  }

  before(call: InterceptedCall): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined> {
    if (call.kind === 'completion' || call.kind === 'list') return undefined;
    const usage = this.#usageOf(call.caller);
    const refusal = usage.rate?.consume();
    if (!(refusal instanceof Promise)) return refusal ?? takeSlot(call, usage);
    return refusal.then((outcome) => outcome ?? takeSlot(call, usage));
  }

  asks({ callerSlot, ended }: InterceptedCall): (() => Promise<void>) | undefined {
    if (!(callerSlot instanceof Slot)) return undefined;
    callerSlot.pause();
    return () => callerSlot.resume(ended);
  }

  after({ callerSlot }: InterceptedCall): void {
    if (callerSlot instanceof Slot) callerSlot.release();
  }

  /** The number of running and of waiting calls of the principal with this name. */
  countsOf(name: string): { readonly running: number; readonly waiting: number } {
    const { running = 0, waiting = 0 } = this.#usageByPrincipal.get(name)?.queue ?? {};
    return { running, waiting };
  }

  #usageOf(caller: Caller): Usage {
    const { principal = LOCAL } = caller;
    let usage = this.#usageByPrincipal.get(principal.name);
    if (!usage) {
      usage = createUsage(principal.name, limitsOf(this.#settings, principal), this.#rates);
      this.#usageByPrincipal.set(principal.name, usage);
    }
    return usage;
  }
}

function createUsage(principal: string, limits: CallerLimits, rates: SharedRates | undefined): Usage {
  const { CallsPerSecond, ConcurrentCalls, QueuedCalls = 0, QueueMs } = limits;
  const rateLimits = CallsPerSecond === undefined ? undefined : { ...limits, CallsPerSecond };
  const shared = rateLimits && rates && sharedRate(principal, rateLimits, rates);
  const rate = shared ? { consume: async () => (await shared).consume() } : rateLimits && new CallerRate(rateLimits);
  const queue =
    ConcurrentCalls === undefined
      ? undefined
      : new SlotQueue({ maxRunning: ConcurrentCalls, maxWaiting: QueuedCalls, maxWaitMs: QueueMs });
  return { limits, rate, queue };
}

/** Loads the class, which only replicas need. */
async function sharedRate(...args: ConstructorParameters<typeof SharedCallerRate>): Promise<SharedCallerRate> {
  const { SharedCallerRate } = await import('./shared-caller-rate.js');
  return new SharedCallerRate(...args);
}

/** Takes a slot for the call, immediately or when one is free. */
function takeSlot(
  call: InterceptedCall,
  { queue, limits }: Usage,
): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined> {
  if (!queue) return undefined;
  const admission = queue.enter(call.ended);
  if (admission === undefined) return queueFull(queue, limits);
  if (admission instanceof Slot) {
    call.callerSlot = admission;
    return undefined;
  }
  return admission.then((slot) => {
    call.callerSlot = slot;
    return slot || call.ended.aborted ? undefined : waitedTooLong(queue, limits);
  });
}

function queueFull({ retryAfterMs }: SlotQueue, { ConcurrentCalls, QueuedCalls = 0 }: CallerLimits): ErrorOutcome {
  const waiting = QueuedCalls === 0 ? '' : ` and ${QueuedCalls} are waiting`;
  return rateLimited('ConcurrentCalls', {
    reason: `${ConcurrentCalls} calls of this caller are running${waiting}, the most that are allowed`,
    retryAfterMs,
  });
}

function waitedTooLong({ retryAfterMs }: SlotQueue, { QueueMs }: CallerLimits): ErrorOutcome {
  const reason = `it waited ${QueueMs} ms for the end of another call of this caller, the longest wait that is allowed`;
  return rateLimited('QueueMs', { reason, retryAfterMs });
}
