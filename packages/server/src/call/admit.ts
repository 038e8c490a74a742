import type { ErrorOutcome } from '@mortise/plugin/host';
import { failure } from '../contract/error-outcomes.js';
import type { CancelSignal } from '../light-signal.js';

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
export type Admit = (plugin: string, signal: CancelSignal) => Admission | ErrorOutcome | Promise<Admission | undefined>;

interface Lane {
  running: number;
  waiting: Set<() => void>;
  /** How long a call took of late, in milliseconds. */
  typicalMs: number;
}

/** How many calls of a plugin may run at once, and how many may wait (plugins.md §5). */
export function createAdmit(limits: AdmitLimits): Admit {
  const lanes = new Map<string, Lane>();

  function enter(lane: Lane): Admission {
    lane.running += 1;
    const startedAt = performance.now();
    let isReleased = false;
    return {
      release() {
        if (isReleased) return;
        isReleased = true;
        lane.running -= 1;
        lane.typicalMs += (performance.now() - startedAt - lane.typicalMs) / 4;
        const [next] = lane.waiting;
        if (next) next();
      },
    };
  }

  function wait(lane: Lane, signal: CancelSignal): Promise<Admission | undefined> {
    return new Promise((resolve) => {
      const leave = () => {
        lane.waiting.delete(proceed);
        signal.removeEventListener('abort', giveUp);
      };
      const proceed = () => {
        leave();
        resolve(enter(lane));
      };
      const giveUp = () => {
        leave();
        resolve(undefined);
      };
      lane.waiting.add(proceed);
      signal.addEventListener('abort', giveUp);
      if (signal.aborted) giveUp();
    });
  }

  return (plugin, signal) => {
    let lane = lanes.get(plugin);
    if (!lane) {
      lane = { running: 0, waiting: new Set(), typicalMs: 0 };
      lanes.set(plugin, lane);
    }
    if (lane.running < limits.maxConcurrentCalls) return enter(lane);
    if (lane.waiting.size >= limits.maxQueuedCalls) return busy(plugin, lane, limits);
    return wait(lane, signal);
  };
}

function busy(plugin: string, lane: Lane, limits: AdmitLimits): ErrorOutcome {
  const { running, typicalMs } = lane;
  const waiting = lane.waiting.size;
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
