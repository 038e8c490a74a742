import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { signalGroup } from './groups.js';

/** Before a reaper that has ended is replaced, in milliseconds. */
const RESTART_MS = 500;

/** A process group that must not outlive the server. */
export interface Group {
  /** The pid of the group's leader. */
  readonly pid: number;
  /** In the environment of all its processes. */
  readonly tag: string;
}

/**
 * A small process that outlives the server by a moment: it holds the list of process groups and ends them when its pipe
 * from the server closes, however the server ended. A plugin in an endless loop does not notice a closed pipe.
 */
export interface Reaper {
  /** The group ends with the server, or immediately if the server is already ending. */
  add(group: Group): void;
  /** The group has ended; what left it before is ended too. */
  remove(group: Group): void;
  /** The group has ended; what left it continues until the server ends. */
  release(group: Group): void;
  /** How many groups there are. */
  readonly size: number;
  close(): void;
}

/**
 * Its process is started at the first group.
 * @param mainFile the module that the process runs: `reaper-main.ts`, built
 */
export function createReaper(mainFile: string): Reaper {
  const groups = new Map<number, Group>();
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): void {
    restart = undefined;
    const started = spawn(process.execPath, [mainFile], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    child = started;
    started.unref();
    (started.stdin as Socket | undefined)?.unref();
    started.stdin?.on('error', () => {});
    started.once('error', startAgain);
    started.once('exit', startAgain);
    for (const group of groups.values()) send('+', group);
  }

  function startAgain(): void {
    child = undefined;
    if (!isClosed) restart ??= setTimeout(start, RESTART_MS).unref();
  }

  function send(command: '+' | '-' | '~', { pid, tag }: Group): void {
    child?.stdin?.write(`${command}${pid} ${tag}\n`);
  }

  return {
    add(group) {
      if (isClosed) return signalGroup(group.pid, 'SIGKILL');
      groups.set(group.pid, group);
      if (child) send('+', group);
      else if (!restart) start();
    },
    remove(group) {
      groups.delete(group.pid);
      send('-', group);
    },
    release(group) {
      groups.delete(group.pid);
      send('~', group);
    },
    get size() {
      return groups.size;
    },
    close() {
      isClosed = true;
      clearTimeout(restart);
      child?.stdin?.end();
    },
  };
}
