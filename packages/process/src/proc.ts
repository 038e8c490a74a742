import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Platform module: what Linux tells of processes in /proc, by proc(5). Files are read synchronously, because the thread pool
 * makes each read ten times slower.
 */

/** Whether there is a /proc. Nothing else of this module works without it, except {@link childrenOf}. */
export const HAS_PROC = process.platform === 'linux';

/** All processes of the machine. */
export function processIds(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** A file of /proc/<pid>; empty if the process has ended or belongs to another user. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

export interface ProcStat {
  /** It has ended, and waits to be collected by its parent. */
  readonly isZombie: boolean;
  readonly parent: number;
  readonly group: number;
  /** Processor time of the process and of its children that have ended, in ticks. */
  readonly usedTicks: number;
  /** When the process started, in ticks since the machine started. */
  readonly startTicks: number;
  readonly residentPages: number;
}

/** Undefined for a process that is gone. */
export function procStat(pid: number): ProcStat | undefined {
  const line = readProc(pid, 'stat');
  if (line === '') return undefined;
  // The name of the command is in parentheses, and can contain any character. The fields behind it begin with the state.
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
 * The children of a process; [] without a /proc.
 * @param threads those whose children are read: each has the ones that it started
 */
export function childrenOf(pid: number, threads = threadsOf(pid)): number[] {
  return threads.flatMap((thread) => readProc(pid, `task/${thread}/children`).split(' ').filter(Boolean).map(Number));
}

/** The file of the program that the process runs; empty if that cannot be read. */
export function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}
