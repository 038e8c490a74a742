import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../plugin-process/reaper-main.js', import.meta.url));

/**
 * A small process that outlives the server by a moment: it holds the list of process groups and ends them when its pipe
 * from the server closes, however the server ended. A plugin in an endless loop does not notice a closed pipe.
 */
export interface Reaper {
  /** The group is to end with the server. @param pid of the group's leader */
  add(pid: number): void;
  /** The group has ended already. */
  remove(pid: number): void;
  close(): void;
}

/** Starts at the first group. */
export function createReaper(): Reaper {
  let child: ChildProcess | undefined;
  const groups = new Set<number>();
  let isClosed = false;

  function start(): void {
    child = spawn(process.execPath, ['--max-old-space-size=16', MAIN], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    child.unref();
    child.stdin?.on('error', () => {});
    child.once('exit', () => {
      child = undefined;
      if (!isClosed && groups.size > 0) start();
    });
    for (const pid of groups) tell(`+${pid}`);
  }

  function tell(line: string): void {
    child?.stdin?.write(`${line}\n`);
  }

  return {
    add(pid) {
      groups.add(pid);
      if (child) tell(`+${pid}`);
      else start();
    },
    remove(pid) {
      groups.delete(pid);
      tell(`-${pid}`);
    },
    close() {
      isClosed = true;
      child?.stdin?.end();
    },
  };
}
