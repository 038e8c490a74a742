import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { tryOs } from '../util/ignore-os-errors.js';

/** Platform module: priorities. On Windows Node makes priority classes of them, by its documented rules; untried. */

const { PRIORITY_BELOW_NORMAL: PRIORITY } = constants.priority;

/**
 * Lets a plugin's process make way for the server, for as long as it runs: a priority once lowered is for administrators
 * to raise. Where Linux groups processes by session for scheduling,
 * a priority counts within the group alone, and each plugin's process is one: then the group's own counts. What is not
 * allowed is left as it is.
 */
export function lowerPriority(pid: number): void {
  tryOs(() => setPriority(pid, PRIORITY));
  if (process.platform === 'linux') tryOs(() => writeFileSync(`/proc/${pid}/autogroup`, `${PRIORITY}`));
}
