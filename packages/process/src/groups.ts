import { spawn } from 'node:child_process';
import { HAS_PROC, processIds, procStat, readProc } from './proc.js';
import { descendantsOf } from './tree.js';

/**
 * Platform module: process groups. The branches for Windows follow the documentation of `taskkill`. Neither they nor
 * those for macOS have been tested.
 */
const IS_WINDOWS = process.platform === 'win32';

/**
 * False on Windows. It is the value for the option `detached` of `spawn`: where there are groups, a process leads its
 * own one; on Windows `detached` would open a console window.
 */
export const HAS_PROCESS_GROUPS = !IS_WINDOWS;

/** Signals a process. @returns false if the process has already ended or belongs to another user */
export function kill(pid: number, signal: NodeJS.Signals | 0 = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: the process has ended. EPERM: another user's process, or a group of zombies on macOS.
    return false;
  }
}

/**
 * Signals the process group that `pid` leads. Windows cannot signal programs of another console, so there the process
 * and its descendants are killed.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!IS_WINDOWS) {
    kill(-pid, signal);
    return;
  }
  const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  taskkill.on('error', () => kill(pid));
}

/** Kills the process group that `pid` leads, and its descendants outside the group, immediately. */
export function killTree(pid: number): void {
  const descendants = descendantsOf(pid);
  signalGroup(pid, 'SIGKILL');
  for (const descendant of descendants) kill(descendant);
}

/** True if a process of the group that `pid` leads is still running. Always false on Windows, which has no groups. */
export function isGroupAlive(pid: number): boolean {
  if (IS_WINDOWS || !kill(-pid, 0)) return false;
  // A zombie has ended, but it stays in the process table until its parent collects it.
  return !HAS_PROC || membersOf(pid).length > 0;
}

/** Returns the processes of the group that `pid` leads that are still running; undefined on all systems but Linux. */
export function groupMembers(pid: number): { pid: number; name: string }[] | undefined {
  if (!HAS_PROC) return undefined;
  return membersOf(pid).map((member) => ({ pid: member, name: readProc(member, 'comm').trim() }));
}

function membersOf(group: number): number[] {
  return processIds().filter((pid) => {
    const stat = procStat(pid);
    return stat?.group === group && !stat.isZombie;
  });
}
