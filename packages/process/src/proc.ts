import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Platform module: reads Linux' /proc, which proc(5) describes. Files are read synchronously, because the thread pool
 * makes each read ten times slower.
 */

/** True if the system has a /proc. Without it, call nothing of this module but {@link childrenOf}. */
export const HAS_PROC = process.platform === 'linux';

/** Returns the pids of all processes of the machine. */
export function processIds(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Reads a file of /proc/<pid>. The text is empty if the process has ended or belongs to another user. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

export interface ProcStat {
  /** True if the process has ended, but its parent has not collected it yet. */
  readonly isZombie: boolean;
  readonly parent: number;
  readonly group: number;
  /** Processor time of the process and of its children that have ended, in ticks. */
  readonly usedTicks: number;
  /** When the process started, in ticks since the machine started. */
  readonly startTicks: number;
  readonly residentPages: number;
}

/** Reads the state of a process from /proc/<pid>/stat; undefined if there is no such process. */
export function procStat(pid: number): ProcStat | undefined {
  const line = readProc(pid, 'stat');
  if (line === '') return undefined;
  // The command's name is in parentheses and can contain any character. The state is the first field after it.
  const [state = '', ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const numbers = fields.map(Number);
  return {
    isZombie: state === 'Z' || state === 'X',
    parent: numbers[0]!,
    group: numbers[1]!,
    usedTicks: numbers.slice(10, 14).reduce((sum, ticks) => sum + ticks, 0),
    startTicks: numbers[18]!,
    residentPages: numbers[20]!,
  };
}

export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/**
 * Returns the pids of a process's children; [] without a /proc.
 * @param threads threads of the process; only the children that these have started are returned
 */
export function childrenOf(pid: number, threads = threadsOf(pid)): number[] {
  return threads.flatMap((thread) => readProc(pid, `task/${thread}/children`).split(' ').filter(Boolean).map(Number));
}

/** Returns the path of the process's executable; empty if it cannot be read. */
export function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}
