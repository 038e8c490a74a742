import { readFileSync } from 'node:fs';
import { descendantsOf } from './descendants.js';

/** Platform module: processor time of processes. Only Linux' /proc tells it; elsewhere it is unknown. */

/** The kernel counts in ticks of 10 ms for all programs, on every processor that Node.js supports. */
const TICK_MS = 10;

/** Which processor time a process and its descendants have used so far, in milliseconds; undefined if it is not known. */
export function processorMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + ticksOf(one) * TICK_MS, 0);
}

/** Its own time and that of its children that have ended; 0 for a process that has ended. */
function ticksOf(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the command's name in parentheses, utime, stime, cutime and cstime are the 12th to the 15th field.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}
