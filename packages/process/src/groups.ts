import { spawn } from 'node:child_process';
import { HAS_PROC, processIds, procStat, readProc } from './proc.js';
import { descendantsOf } from './tree.js';

/** Platform module: process groups. Windows' branches are written by the documentation of `taskkill`; they and macOS' are untried. */
const IS_WINDOWS = process.platform === 'win32';

/** Whether a new process leads its own group, for the option `detached` of `spawn`; Windows opens a console for that. */
export const CAN_LEAD_GROUP = !IS_WINDOWS;

/** False for a process that has ended already, and for one of another user. */
export function kill(pid: number, signal: NodeJS.Signals | 0 = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: it has ended. EPERM: macOS reports this for a group of zombies.
    return false;
  }
}

/**
 * Signals the process group that `pid` leads. Windows knows no signals for console programs of another console: there the
 * process and its descendants are killed.
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

/** Whether anything of the group that `pid` leads is left. Windows has no groups: false. */
export function isGroupAlive(pid: number): boolean {
  if (IS_WINDOWS || !kill(-pid, 0)) return false;
  // A zombie has ended, although it stays in the table of processes until init collects it.
  return !HAS_PROC || membersOf(pid).length > 0;
}

/** What is left of the group that `pid` leads; undefined where that cannot be seen (all but Linux). */
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
