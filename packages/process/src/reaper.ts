import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { signalGroup } from './groups.js';

/** Delay before a reaper process that has ended is replaced, in milliseconds. */
const RESTART_MS = 500;

/** A process group that must not outlive the server. */
export interface Group {
  /** The pid of the group's leader. */
  readonly pid: number;
  /** A text in the environment of all processes of the group. */
  readonly tag: string;
}

/**
 * A small process that outlives the server for a moment. It has the list of process groups and kills them when its pipe
 * from the server closes, even if the server has crashed. A plugin in an endless loop would not notice a closed pipe.
 */
export interface Reaper {
  /** Kills the group when the server ends, or immediately if the reaper is closed. */
  add(group: Group): void;
  /** Call it when the group has ended. Kills the processes that have left the group. */
  remove(group: Group): void;
  /** Call it when the group has ended. Lets the processes that have left the group run until the server ends. */
  release(group: Group): void;
  /** The number of groups. */
  readonly size: number;
  /** Ends the reaper process, which then kills all groups. */
  close(): void;
}

/**
 * Creates a reaper. Its process is started when the first group is added.
 * @param mainFile path of the built `reaper-main.ts`, which the process runs
 */
export function createReaper(mainFile: string): Reaper {
  const groups = new Map<number, Group>();
  let child: ChildProcess | undefined;
  let restartTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): void {
    restartTimer = undefined;
    const reaperProcess = spawn(process.execPath, [mainFile], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    child = reaperProcess;
    reaperProcess.unref();
    (reaperProcess.stdin as Socket | undefined)?.unref();
    reaperProcess.stdin?.on('error', () => {});
    reaperProcess.once('error', scheduleRestart);
    reaperProcess.once('exit', scheduleRestart);
    for (const group of groups.values()) send('+', group);
  }

  function scheduleRestart(): void {
    child = undefined;
    if (!isClosed) restartTimer ??= setTimeout(start, RESTART_MS).unref();
  }

  function send(command: '+' | '-' | '~', { pid, tag }: Group): void {
    child?.stdin?.write(`${command}${pid} ${tag}\n`);
  }

  return {
    add(group) {
      if (isClosed) return signalGroup(group.pid, 'SIGKILL');
      groups.set(group.pid, group);
      if (child) send('+', group);
      else if (!restartTimer) start();
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
      clearTimeout(restartTimer);
      child?.stdin?.end();
    },
  };
}
