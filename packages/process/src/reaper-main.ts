import { createInterface } from 'node:readline';
import { kill, signalGroup } from './groups.js';
import { keepInspectorClosed } from './keep-inspector-closed.js';
import { HAS_PROC } from './proc.js';
import { killTagged } from './tags.js';
import { descendantsOf } from './tree.js';

/**
 * Delay before processes that have left an ended group are searched for, in milliseconds. One search serves all groups
 * that end during the delay.
 */
const SWEEP_MS = 200;

/** The tag of each group's processes, by the leader's pid. */
const groups = new Map<number, string>();
/** The tags of groups that the server has released. Processes with these tags may run until the server ends. */
const releasedTags = new Set<string>();
/** The tags of groups that have ended since the last search. */
let endedTags: string[] = [];

function sweep(): void {
  void killStrays(endedTags);
  endedTags = [];
}

/** Kills the processes that have left their group but still have one of these tags. */
async function killStrays(tags: readonly string[]): Promise<void> {
  if (HAS_PROC) await killTagged(...tags);
}

async function endAll(): Promise<void> {
  const descendants = [...groups.keys()].flatMap(descendantsOf);
  for (const pid of groups.keys()) signalGroup(pid, 'SIGKILL');
  for (const pid of descendants) kill(pid);
  await killStrays([...endedTags, ...releasedTags, ...groups.values()]);
  process.exit(0);
}

// The reaper ends only when its pipe closes. Ctrl+C in a terminal signals a whole group, and the server may still be
// shutting down then.
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
    releasedTags.add(tag!);
  } else {
    groups.delete(pid);
    releasedTags.delete(tag!);
    if (endedTags.length === 0) setTimeout(sweep, SWEEP_MS);
    endedTags.push(tag!);
  }
});
lines.on('close', () => void endAll());
