import { spawnSync } from 'node:child_process';
import { childrenOf, HAS_PROC, procStat } from './proc.js';

/**
 * Platform module: ancestors and descendants of processes. The branches for macOS and Windows follow the documentation
 * of `ps` and PowerShell's Win32_Process, and have not been tested.
 */

/**
 * Returns the pids of the running children of a process, of their children, and so on; [] on macOS and Windows. It also
 * finds processes that have left the group and removed the tag from their environment. Windows does not need it,
 * because `taskkill /T` ends the descendants too.
 */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** No chain of parents is longer in practice. The limit ends a cycle, which reused pids can make. */
const MAX_DEPTH = 16;

/** True if a process is `ancestor` or one of its descendants. */
export function isSameOrDescendant(pid: number, ancestor: number): boolean {
  let current: number | undefined = pid;
  for (let depth = 0; current !== undefined && depth < MAX_DEPTH; depth++) {
    if (current === ancestor) return true;
    current = parentOf(current);
  }
  return false;
}

function parentOf(pid: number): number | undefined {
  const parent = HAS_PROC ? procStat(pid)?.parent : Number.parseInt(askForParent(pid), 10);
  return parent !== undefined && parent > 0 ? parent : undefined;
}

function askForParent(pid: number): string {
  const script = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").ParentProcessId`;
  const { stdout } =
    process.platform === 'win32'
      ? spawnSync('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], { windowsHide: true })
      : spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)]);
  return String(stdout ?? '');
}
