import { type ChildProcess, spawn } from 'node:child_process';
import { tryOs } from '../util/ignore-os-errors.js';
import { descendantsOf } from './descendants.js';

/** Platform module: the end of a process group. Windows' branch is written by its documented rules and untried. */
const IS_WINDOWS = process.platform === 'win32';

/** Kills the process and everything in its group immediately. @param orElse used if the system's own way is missing */
export function killProcessGroup(pid: number, orElse: () => void = () => {}): void {
  if (IS_WINDOWS) {
    const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    taskkill.on('error', orElse);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: all of it has ended. EPERM: macOS reports this for a group of zombies.
  }
}

/** Kills a child, everything in its process group, and its descendants outside the group, immediately. */
export function killProcessTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const descendants = descendantsOf(child.pid);
  killProcessGroup(child.pid, () => child.kill('SIGKILL'));
  for (const pid of descendants) tryOs(() => process.kill(pid, 'SIGKILL'));
}
