import { processIds, readProc } from '../../packages/process/src/proc.js';
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
export const processesOf = ({ env }: Workplace): SeenProcess[] => processesWith(`HOME=${env.HOME}\0`);

/** Every running process with this text in its environment; [] where a test cannot look. */
export function processesWith(text: string): SeenProcess[] {
  if (!CAN_SEE_PROCESSES) return [];
  return processIds().flatMap((pid) => {
    if (!readProc(pid, 'environ').includes(text)) return [];
    const stat = readProc(pid, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || stat === '') return [];
    const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
    return { pid, command, nice: Number(fields[16]) };
  });
}
