import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEAP_PROBE = new URL('heap-probe.mjs', import.meta.url).href;
const TRIES = 600;
const PAUSE_MS = 50;

/** Adds the probe to a command of Node.js. @returns a function that gives the bytes that are in use after a collection */
export function addHeapProbe(command) {
  const file = join(command.cwd, 'heap');
  command.env = { ...command.env, PROVE_HEAP: file };
  command.args = [`--import=${HEAP_PROBE}`, ...command.args];
  return async (pid) => {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (let tries = 0; tries < TRIES; tries++) {
      await sleep(PAUSE_MS);
      try {
        return Number(readFileSync(file, 'utf8'));
      } catch (error) {
        if (error.code !== 'ENOENT') throw error;
      }
    }
    throw new Error('The server does not tell its heap');
  };
}
