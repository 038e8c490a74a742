import { readFileSync } from 'node:fs';

/** Ticks of all processors together since the machine started. */
function ticks() {
  const [user, nice, system, idle, waiting, ...others] = /^cpu +(.*)$/m
    .exec(readFileSync('/proc/stat', 'utf8'))[1]
    .split(' ')
    .map(Number);
  const busy = user + nice + system + others.slice(0, 3).reduce((sum, one) => sum + one, 0);
  return { idle: idle + waiting, all: busy + idle + waiting };
}

/** @returns a function that gives the share of all processors that was idle since it was called last */
export function idleShares() {
  let before = ticks();
  return () => {
    const now = ticks();
    const share = (now.idle - before.idle) / Math.max(1, now.all - before.all);
    before = now;
    return share;
  };
}
