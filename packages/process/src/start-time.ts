import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { HAS_PROC, procStat } from './proc.js';

/**
 * Platform module: when a process started, which tells it from a later one with the same id. macOS' branch is written by the
 * documentation of `ps`, Windows' by that of PowerShell's Get-Process; both are untried.
 */

/** Whether {@link processStartTime} is a matter of microseconds. */
export const HAS_START_TIMES = HAS_PROC;

/** Times of one process, read in two ways, differ by less than this many milliseconds. */
const START_TOLERANCE_MS = 5000;

/**
 * When a process started, for {@link isSameStartTime}; undefined when there is none with this pid, or it has ended and waits to
 * be collected. On Linux it names the boot too.
 */
export function processStartTime(pid: number): string | undefined {
  if (HAS_PROC) {
    const stat = procStat(pid);
    return stat && !stat.isZombie ? `${bootId()}/${stat.startTicks}` : undefined;
  }
  if (pid === process.pid) return String(Math.round(Date.now() - process.uptime() * 1000));
  return askForStartTime(pid);
}

/** Whether two answers of {@link processStartTime} can be of one process. */
export function isSameStartTime(one: string, other: string): boolean {
  return HAS_PROC ? one === other : Math.abs(Number(one) - Number(other)) < START_TOLERANCE_MS;
}

let boot: string | undefined;

/** Includes the PID namespace, because a pid of another container is meaningless here. */
function bootId(): string {
  boot ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  return boot;
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
