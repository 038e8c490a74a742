import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { HAS_PROC, procStat, threadsOf } from './proc.js';
import { descendantsOf } from './tree.js';

/**
 * Platform module: priority and processor time of processes. The processor time is known on Linux only. On Windows,
 * Node.js maps priorities to priority classes. Windows and macOS have not been tested.
 */

const { PRIORITY_BELOW_NORMAL: PRIORITY } = constants.priority;

/**
 * Lowers the priority of a plugin's process and its descendants permanently, because only an administrator can raise it
 * again. Call it after the plugin has loaded: on a busy machine, a process of low priority can exceed its load timeout.
 * Processes whose priority cannot be changed are skipped.
 */
export function lowerPriority(pid: number): void {
  for (const processId of [pid, ...descendantsOf(pid)]) {
    // On Linux each thread has its own priority, inherited from the thread that started it.
    for (const id of HAS_PROC ? threadsOf(processId) : [processId]) tryTo(() => setPriority(id, PRIORITY));
  }
  // With autogroups (sched(7)), a priority only counts within its session, and each plugin process has its own session.
  if (HAS_PROC) tryTo(() => writeFileSync(`/proc/${pid}/autogroup`, `${PRIORITY}`));
}

function tryTo(change: () => void): void {
  try {
    change();
  } catch {
    // The process has ended or belongs to another user, or the kernel has no autogroups.
  }
}

/** The kernel reports times in ticks of 10 ms on every processor that Node.js supports. */
const TICK_MS = 10;

/**
 * Returns the processor time that a process and its descendants have used so far, in milliseconds, including their
 * children that have ended; undefined on all systems but Linux.
 */
export function processorMs(pid: number): number | undefined {
  if (!HAS_PROC) return undefined;
  return [pid, ...descendantsOf(pid)].reduce((sum, id) => sum + (procStat(id)?.usedTicks ?? 0) * TICK_MS, 0);
}
