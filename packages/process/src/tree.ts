import { spawnSync } from 'node:child_process';
import { childrenOf, HAS_PROC, procStat } from './proc.js';

/**
 * Platform module: who started whom. macOS' branch is written by the documentation of `ps`, Windows' by that of PowerShell's
 * Win32_Process; both are untried.
 */

/**
 * All processes that a process has started, and that these have started, as long as all of them live; [] on macOS and Windows.
 * It finds what left the process group and gave up its environment. Windows' own way of ending a process finds them by itself.
 */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Deeper than programs start programs. */
const MAX_DEPTH = 16;

/** Whether a process is `ancestor`, or was started by it or by what it started. */
export function isWithin(pid: number, ancestor: number): boolean {
  let at: number | undefined = pid;
  for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
    if (at === ancestor) return true;
    at = parentOf(at);
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
