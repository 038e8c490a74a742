import { spawn } from 'node:child_process';

/** Platform module: the end of a process group. Windows' branch is written by its documented rules and untried. */
const IS_WINDOWS = process.platform === 'win32';

/** Ends the process and everything in its group, at once. @param orElse where the system's own way is missing */
export function killProcessGroup(pid: number, orElse: () => void = () => {}): void {
  if (IS_WINDOWS) {
    const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    taskkill.on('error', orElse);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: all of it has ended. EPERM: macOS says so of a group that only waits to be collected.
  }
}
