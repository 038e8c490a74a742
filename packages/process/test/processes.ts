import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { kill, signalGroup } from '../src/groups.js';

/** A process that leads a group of its own, which is killed after the test. */
export function start(script: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => signalGroup(child.pid!, 'SIGKILL'));
  return child;
}

export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
};

export function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.filter(([, parent]) => parent === pid).map(([child]) => child!);
}

/** Starts a program with Node.js and prints its pid. */
export const spawning = (script: string, options: object) =>
  `console.log(require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], ${JSON.stringify({ stdio: 'inherit', ...options })}).pid);`;

/** The pids that the process prints. */
export async function pidsOf(child: ChildProcess, count: number): Promise<number[]> {
  let text = '';
  child.stdout!.on('data', (chunk) => {
    text += chunk;
  });
  const pids = () => text.split('\n').filter(Boolean).map(Number);
  await expect.poll(() => pids().length).toBe(count);
  onTestFinished(() => {
    for (const pid of pids()) kill(pid);
  });
  return pids();
}

/** A process that has ended and leads a group; its parent is stopped, and does not collect it. */
export async function startZombie(): Promise<number> {
  const script = `${spawning('', { detached: true })} process.kill(process.pid, 'SIGSTOP');`;
  const [zombie] = await pidsOf(start(script), 1);
  await expect.poll(() => spawnSync('ps', ['-o', 'stat=', '-p', String(zombie)]).stdout.toString()).toMatch(/^Z/);
  return zombie!;
}
