import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { Owner } from '../core/snapshot.js';
import { failure } from '../results/error-outcomes.js';
import type { CancelSignal } from '../util/cancel-signal.js';

export interface AdmitLimits {
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
export type Admit = (owner: Owner, signal: CancelSignal) => Admission | ErrorOutcome | Promise<Admission | undefined>;

interface Waiting {
  proceed(): void;
}

interface Lane {
  running: number;
  /** In order. */
  waiting: Waiting[];
  /** How long a call took of late, in milliseconds. */
  typicalMs: number;
}

/** Completions come with every key that a user presses: of a plugin's slots and queue they have a quarter as many of their own. */
const COMPLETION_SHARE = 1 / 4;

/** The limits of completions, which take no place from calls. */
export function limitsOfCompletions({ maxConcurrentCalls, maxQueuedCalls }: AdmitLimits): AdmitLimits {
  return {
    maxConcurrentCalls: Math.ceil(maxConcurrentCalls * COMPLETION_SHARE),
    maxQueuedCalls: Math.ceil(maxQueuedCalls * COMPLETION_SHARE),
  };
}

/** How many calls of a plugin may run at once, and how many may wait (docs/spec/plugins.md#concurrency). */
export function createAdmit(limits: AdmitLimits): Admit {
  const lanes = new Map<string, Lane>();

  return ({ plugin, place }, signal) => {
    let lane = lanes.get(place);
    if (!lane) {
      lane = { running: 0, waiting: [], typicalMs: 0 };
      lanes.set(place, lane);
    }
    if (lane.running < limits.maxConcurrentCalls) return new Place(lane);
    if (lane.waiting.length >= limits.maxQueuedCalls) return busy(plugin, lane, limits);
    return wait(lane, signal);
  };
}

class Place implements Admission {
  readonly #startedAt = performance.now();
  #lane: Lane | undefined;

  constructor(lane: Lane) {
    lane.running += 1;
    this.#lane = lane;
  }

  release(): void {
    const lane = this.#lane;
    if (!lane) return;
    this.#lane = undefined;
    lane.running -= 1;
    lane.typicalMs += (performance.now() - this.#startedAt - lane.typicalMs) / 4;
    lane.waiting.shift()?.proceed();
  }
}

function wait(lane: Lane, signal: CancelSignal): Promise<Admission | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => {
      const at = lane.waiting.indexOf(waiting);
      if (at >= 0) lane.waiting.splice(at, 1);
      resolve(undefined);
    };
    const waiting: Waiting = {
      proceed() {
        signal.removeEventListener('abort', giveUp);
        resolve(new Place(lane));
      },
    };
    lane.waiting.push(waiting);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}

function busy(plugin: string, lane: Lane, limits: AdmitLimits): ErrorOutcome {
  const { running, typicalMs } = lane;
  const waiting = lane.waiting.length;
  const retryAfterMs = Math.max(100, Math.ceil((typicalMs * (waiting + 1)) / limits.maxConcurrentCalls));
  return failure(
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
