import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { lowerPriority, processorMs } from '../src/processor.js';
import { descendantsOf } from '../src/tree.js';
import { spawning, start } from './processes.js';

/** Starts a process that uses half a second of processor time, and waits. */
const WORKS =
  'const from = process.cpuUsage(); while (process.cpuUsage(from).user < 500_000); setInterval(() => {}, 1000);';
const SCRIPT = `${spawning(WORKS, { stdio: 'ignore' })} setInterval(() => {}, 1000);`;

/** The priorities of the threads of a process. */
const prioritiesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

describe.skipIf(process.platform !== 'linux')('the processor', () => {
  it('is used by a process and by what it has started', async () => {
    const child = start(SCRIPT);
    await expect.poll(() => processorMs(child.pid!)).toBeGreaterThanOrEqual(500);
    expect(processorMs(999_999_999)).toBe(0);
  });

  it('has others before a process of low priority, in all its threads and descendants', async () => {
    const child = start(SCRIPT);
    await expect.poll(() => descendantsOf(child.pid!)).toHaveLength(1);
    const pids = [child.pid!, ...descendantsOf(child.pid!)];
    lowerPriority(child.pid!);
    for (const pid of pids) {
      const expected = constants.priority.PRIORITY_BELOW_NORMAL;
      expect(prioritiesOf(pid).every((priority) => priority >= expected)).toBe(true);
    }
    lowerPriority(999_999_999);
  });
});
