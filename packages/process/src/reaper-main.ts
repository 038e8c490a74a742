import { createInterface } from 'node:readline';
import { kill, signalGroup } from './groups.js';
import { keepInspectorClosed } from './keep-inspector-closed.js';
import { HAS_PROC } from './proc.js';
import { killTagged } from './tags.js';
import { descendantsOf } from './tree.js';

/** Delay before processes that left ended groups are searched for, in milliseconds; one search serves all groups that end in this time. */
const SWEEP_MS = 200;

/** The tag of each group's processes, by the leader's pid. */
const groups = new Map<number, string>();
/** The tags of groups that have ended while some of their processes continue. */
const released = new Set<string>();
/** The tags of groups that have ended. */
let exits: string[] = [];

function sweep(): void {
  void killStrays(exits);
  exits = [];
}

/** Kills what left its group and still has one of these tags. */
async function killStrays(tags: readonly string[]): Promise<void> {
  if (HAS_PROC) await killTagged(...tags);
}

async function endAll(): Promise<void> {
  const descendants = [...groups.keys()].flatMap(descendantsOf);
  for (const pid of groups.keys()) signalGroup(pid, 'SIGKILL');
  for (const pid of descendants) kill(pid);
  await killStrays([...exits, ...released, ...groups.values()]);
  process.exit(0);
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
lines.on('close', () => void endAll());
