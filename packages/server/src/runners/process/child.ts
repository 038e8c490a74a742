import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Platform module: process groups and priorities. Windows' branches are written by its documented rules and untried. */
const IS_WINDOWS = process.platform === 'win32';

const MAIN = fileURLToPath(new URL('../../plugin-process/main.js', import.meta.url));

export interface ChildOptions {
  /** V8's own limit, a distant backstop behind the measured one. */
  heapMb: number;
  /** `--inspect-brk` on this port, for an author who steps through the plugin. */
  inspectPort?: number;
}

/** A process for one plugin: its own process group, a lower priority, an empty stdin, and a pipe beside the three. */
export function spawnChild({ heapMb, inspectPort }: ChildOptions): { child: ChildProcess; channel: Duplex } {
  const args = [
    `--max-old-space-size=${heapMb}`,
    ...(inspectPort === undefined ? [] : [`--inspect-brk=127.0.0.1:${inspectPort}`]),
  ];
  const child = spawn(process.execPath, [...args, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: !IS_WINDOWS,
    windowsHide: true,
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  return { child, channel: child.stdio[3] as Duplex };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed, or gone already: it then runs at the server's own priority.
  }
}

/** Ends a child and everything that it started, at once. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (IS_WINDOWS) {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => {
        child.kill('SIGKILL');
      },
    );
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
