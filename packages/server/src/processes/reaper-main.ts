import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { descendantsOf } from './descendants.js';
import { keepInspectorClosed } from './keep-inspector-closed.js';

/**
 * Platform module: the end of process groups, and on Linux of what left them. Windows' branch is written by its
 * documented rules and untried.
 */
function killProcessGroup(pid: number): void {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
  else kill(-pid);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Processes that are started in the meantime are found by the next attempt. */
const MAX_ATTEMPTS = 5;

/** Ends processes with one of these marks in their environment (`process-tag.ts`), whatever group they are in. */
function killTagged(tags: readonly string[]): void {
  if (process.platform !== 'linux') return;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && endFound(tags); attempt++);
}

function endFound(tags: readonly string[]): boolean {
  const found = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const environment = environmentOf(name);
    return tags.some((tag) => environment.includes(tag)) && kill(Number(name));
  });
  return found.length > 0;
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** Delay before processes that left ended groups are searched for, in milliseconds; one search serves all groups that end in this time. */
const SWEEP_MS = 200;

/** The mark of each group's processes, by the leader's pid. */
const groups = new Map<number, string>();
/** The tags of groups that have ended while some of their processes continue. */
const released = new Set<string>();
/** The tags of groups that have ended. */
let exits: string[] = [];

function sweep(): void {
  killTagged(exits);
  exits = [];
}

// Only the closed pipe ends it: a terminal's Ctrl+C reaches whole groups, and the server may still be busy ending.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
keepInspectorClosed();

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [, command, digits, tag] = /^([+~-])(\d+) (\w+)$/.exec(line) ?? [];
  const pid = Number(digits);
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  if (command === '+') groups.set(pid, tag!);
  else if (command === '~') {
    groups.delete(pid);
    released.add(tag!);
  } else {
    groups.delete(pid);
    released.delete(tag!);
    if (exits.length === 0) setTimeout(sweep, SWEEP_MS);
    exits.push(tag!);
  }
});
lines.on('close', () => {
  const descendants = [...groups.keys()].flatMap(descendantsOf);
  for (const pid of groups.keys()) killProcessGroup(pid);
  for (const pid of descendants) kill(pid);
  killTagged([...exits, ...released, ...groups.values()]);
  process.exit(0);
});
