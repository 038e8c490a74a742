import { readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { tryOs } from '../util/ignore-os-errors.js';
import { descendantsOf } from './descendants.js';

/** Platform module: priorities. On Windows Node makes priority classes of them, by its documented rules; untried. */

const { PRIORITY_BELOW_NORMAL: PRIORITY } = constants.priority;

/**
 * Lets the process of a plugin, and what it has started, make way for the server, for as long as they run: only an
 * administrator can raise a priority again. Call it once the plugin has loaded: on a busy machine a process of low priority
 * does not load in its time. What is not allowed is left as it is.
 */
export function lowerPriority(pid: number): void {
  for (const one of [pid, ...descendantsOf(pid)]) {
    for (const thread of threadsOf(one)) tryOs(() => setPriority(thread, PRIORITY));
  }
  // Where Linux groups processes by session, priorities count within a session, and each plugin's process has its own.
  if (process.platform === 'linux') tryOs(() => writeFileSync(`/proc/${pid}/autogroup`, `${PRIORITY}`));
}

/** On Linux each thread has a priority, which it inherited when it was started; elsewhere the process has it. */
function threadsOf(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  return (tryOs(() => readdirSync(`/proc/${pid}/task`)) ?? []).map(Number);
}
