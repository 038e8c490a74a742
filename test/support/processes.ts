import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Workplace } from './workplace.js';

/** Where a test can look at the processes of the machine. */
export const CAN_SEE_PROCESSES = process.platform === 'linux';

export interface SeenProcess {
  pid: number;
  command: string;
  /** 0 unless its priority was changed; higher is lower. */
  nice: number;
}

/** Every process that was started on the workplace, by whomever: its home is in their environment. */
export function processesOf({ env }: Workplace): SeenProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !read(`/proc/${name}/environ`).includes(`HOME=${env.HOME}\0`)) return [];
    const stat = read(`/proc/${name}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || stat === '') return [];
    const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
    return { pid: Number(name), command, nice: Number(fields[16]) };
  });
}

/** Waits until the processes are as wanted, and gives the last look at them. */
export async function untilProcesses(
  workplace: Workplace,
  matches: (processes: SeenProcess[]) => boolean,
  limitMs: number,
): Promise<SeenProcess[]> {
  const deadline = performance.now() + limitMs;
  let seen = processesOf(workplace);
  while (!matches(seen) && performance.now() < deadline) {
    await delay(25);
    seen = processesOf(workplace);
  }
  return seen;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
