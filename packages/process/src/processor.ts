import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { HAS_PROC, procStat, threadsOf } from './proc.js';
import { descendantsOf } from './tree.js';

/**
 * Platform module: priority and processor time of processes. Only Linux tells the time. On Windows Node.js makes priority
 * classes of priorities, as its documentation says; untried, as is macOS.
 */

const { PRIORITY_BELOW_NORMAL: PRIORITY } = constants.priority;

/**
 * Lets the process of a plugin, and what it has started, make way for the server, for as long as they run: only an
 * administrator can raise a priority again. Call it once the plugin has loaded: on a busy machine a process of low priority
 * does not load in its time. What is not allowed is left as it is.
 */
export function lowerPriority(pid: number): void {
  for (const one of [pid, ...descendantsOf(pid)]) {
    // On Linux each thread has a priority, which it inherited when it was started; elsewhere the process has it.
    for (const id of HAS_PROC ? threadsOf(one) : [one]) ifAllowed(() => setPriority(id, PRIORITY));
  }
  // Where Linux groups processes by session, priorities count within a session, and each plugin's process has its own.
  if (HAS_PROC) ifAllowed(() => writeFileSync(`/proc/${pid}/autogroup`, `${PRIORITY}`));
}

function ifAllowed(change: () => void): void {
  try {
    change();
  } catch {
    // Another user's process, one that has ended, or a kernel without groups of sessions.
  }
}

/** The kernel counts in ticks of 10 ms for all programs, on every processor that Node.js supports. */
const TICK_MS = 10;

/**
 * The processor time that a process, its descendants, and the children of these that have ended, have used so far, in
 * milliseconds; undefined where it is unknown (all but Linux).
 */
export function processorMs(pid: number): number | undefined {
  if (!HAS_PROC) return undefined;
  return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + (procStat(one)?.usedTicks ?? 0) * TICK_MS, 0);
}
