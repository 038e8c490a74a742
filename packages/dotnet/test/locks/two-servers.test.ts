import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const WORKER = fileURLToPath(new URL('./fixtures/lock-worker.mjs', import.meta.url));

let folder: string;
let repository: string;

beforeEach(() => {
  const temp = mkdtempSync(join(tmpdir(), 'locks-two-'));
  folder = join(temp, 'locks');
  repository = join(temp, 'repository');
  for (const name of ['one', 'two']) mkdirSync(join(repository, name), { recursive: true });
  writeFileSync(join(repository, 'one', 'App.csproj'), '<Project />');
  writeFileSync(join(repository, 'two', 'Lib.csproj'), '<Project />');
  const header = 'Microsoft Visual Studio Solution File, Format Version 12.00\n';
  const project = 'Project("{F}") = "App", "App.csproj", "{A}"\nEndProject\n';
  writeFileSync(join(repository, 'one', 'App.sln'), header + project);
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

/** Drafts do not count: a server that is killed before it renames its draft leaves it behind. */
function locksLeft(): string[] {
  return readdirSync(folder).filter((name) => !name.endsWith('.draft'));
}

interface Worker {
  readonly child: ChildProcess;
  /** The last line: what it counted. */
  readonly counts: Promise<{ acquired: number; refused: number; violations: string[] }>;
  /** After it has held a lock so often. */
  acquiredTimes(times: number): Promise<void>;
}

function startWorker(rounds: number): Worker {
  const child = spawn(process.execPath, [WORKER, folder, repository, String(rounds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acquired = 0;
  let last = '';
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    last = line;
    acquired += line === 'acquired' ? 1 : 0;
  });
  const counts = once(child, 'close').then(() => JSON.parse(last.startsWith('{') ? last : '{}'));
  return {
    child,
    counts,
    async acquiredTimes(times) {
      const closed = once(lines, 'close').then(() => Promise.reject(new Error(`The worker ended: ${last}`)));
      closed.catch(() => {});
      while (acquired < times) await Promise.race([once(lines, 'line'), closed]);
    },
  };
}

describe('two servers on one repository', () => {
  it('never hold conflicting locks at once, and leave none', async () => {
    const counts = await Promise.all([startWorker(200).counts, startWorker(200).counts]);
    expect(counts.flatMap(({ violations }) => violations)).toEqual([]);
    for (const { acquired, refused } of counts) expect(acquired + refused).toBe(200);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('continue when one of them is killed while it holds a lock', async () => {
    const killed = startWorker(100_000);
    const survivor = startWorker(200);
    await killed.acquiredTimes(20);
    killed.child.kill('SIGKILL');
    const { acquired, refused, violations } = await survivor.counts;
    expect(violations).toEqual([]);
    expect(acquired + refused).toBe(200);
    expect(locksLeft()).toEqual([]);
  });

  it('continue when several are killed one after the other, whatever they were doing', async () => {
    const survivor = startWorker(400);
    for (const times of [1, 3, 5, 7, 9, 11]) {
      const killed = startWorker(100_000);
      await killed.acquiredTimes(times);
      killed.child.kill('SIGKILL');
    }
    for (const { acquired, refused, violations } of [await survivor.counts, await startWorker(20).counts]) {
      expect(violations).toEqual([]);
      expect(acquired + refused).toBeGreaterThanOrEqual(20);
    }
    expect(locksLeft()).toEqual([]);
  });
});
