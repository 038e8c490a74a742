import { readFileSync } from 'node:fs';
import { processIds, procStat } from '../../packages/process/build/proc.js';

/** Ticks since the machine started, of all processors together, and of this process with its descendants. */
function ticks() {
  const [user, nice, system, idle, waiting, ...others] = /^cpu +(.*)$/m
    .exec(readFileSync('/proc/stat', 'utf8'))[1]
    .split(' ')
    .map(Number);
  const busy = user + nice + system + others.slice(0, 3).reduce((sum, one) => sum + one, 0);
  return { idle: idle + waiting, all: busy + idle + waiting, own: ownTicks() };
}

function ownTicks() {
  const stats = new Map(processIds().map((pid) => [pid, procStat(pid)]));
  let sum = 0;
  for (const [pid, stat] of stats) {
    let ancestor = pid;
    while (ancestor > 1 && ancestor !== process.pid) ancestor = stats.get(ancestor)?.parent ?? 0;
    if (ancestor === process.pid) sum += stat?.usedTicks ?? 0;
  }
  return sum;
}

/** @returns a function that gives the shares of all processors that were idle, and that this run used, since it was called last */
export function processorShares() {
  let before = ticks();
  return () => {
    const now = ticks();
    const all = Math.max(1, now.all - before.all);
    const shares = { idle: (now.idle - before.idle) / all, own: Math.max(0, now.own - before.own) / all };
    before = now;
    return shares;
  };
}
