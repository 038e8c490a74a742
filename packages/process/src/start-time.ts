import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { HAS_PROC, procStat } from './proc.js';

/**
 * Platform module: the start time of a process, which distinguishes it from a later process with the same pid. The
 * branches for macOS and Windows follow the documentation of `ps` and PowerShell's Get-Process. They have not been
 * tested.
 */

/** True if {@link processStartTime} takes microseconds. Otherwise it starts a program. */
export const HAS_START_TIMES = HAS_PROC;

/** The start time of the same process can differ by less than this between two ways to read it, in milliseconds. */
const START_TOLERANCE_MS = 5000;

/**
 * Returns the start time of a process, for {@link isSameStartTime}; undefined if the process has ended or never
 * existed. On Linux the text also contains the boot, because times count from it.
 */
export function processStartTime(pid: number): string | undefined {
  if (HAS_PROC) {
    const stat = procStat(pid);
    return stat && !stat.isZombie ? `${bootId()}/${stat.startTicks}` : undefined;
  }
  if (pid === process.pid) return String(Math.round(Date.now() - process.uptime() * 1000));
  return askForStartTime(pid);
}

/** True if two answers of {@link processStartTime} can belong to the same process. */
export function isSameStartTime(one: string, other: string): boolean {
  return HAS_PROC ? one === other : Math.abs(Number(one) - Number(other)) < START_TOLERANCE_MS;
}

let cachedBootId: string | undefined;

/** Includes the PID namespace, because a pid of another container is meaningless here. */
function bootId(): string {
  cachedBootId ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  return cachedBootId;
}

function askForStartTime(pid: number): string | undefined {
  const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`;
  const [program, args]: [string, string[]] =
    process.platform === 'win32'
      ? ['powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]];
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', windowsHide: true, env });
  const startedAt = Date.parse((stdout ?? '').trim());
  return Number.isNaN(startedAt) ? undefined : String(startedAt);
}
