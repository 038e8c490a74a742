// How evenly five servers that lock all the time get one lock (docs/spec/dotnet-runtime.md#locks): `node bench/locks.mjs`.
// Each process asks for the lock of one project, holds it for 5 ms, and asks again.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SERVERS = 5;
const HOLD_MS = 5;
const SECONDS = 30;
const TARGETS = [{ scope: 'project', path: '/shop/App.csproj' }];

if (process.send) await lockAllTheTime(process.argv[2]);
else await measure();

async function lockAllTheTime(folder) {
  const { FileLocks } = await import('../packages/dotnet/build/locks/file-locks.js');
  const locks = new FileLocks({ folder });
  const waits = [];
  const until = performance.now() + SECONDS * 1000;
  while (performance.now() < until) {
    const since = performance.now();
    const request = { targets: TARGETS, operation: 'build', waitMs: 60_000, signal: new AbortController().signal };
    const { acquired } = await locks.acquire(request);
    waits.push(performance.now() - since);
    await delay(HOLD_MS);
    await acquired.release();
  }
  process.send(waits, () => process.disconnect());
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-locks-'));
  const servers = Array.from({ length: SERVERS }, () => fork(fileURLToPath(import.meta.url), [folder]));
  const all = await Promise.all(servers.map((server) => new Promise((resolve) => server.on('message', resolve))));
  rmSync(folder, { recursive: true, force: true });
  const waits = all.flat().sort((a, b) => a - b);
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
  const within = waits.filter((wait) => wait <= 3 * mean).length / waits.length;
  console.log(`locks of each server: ${all.map(({ length }) => length).join(', ')}`);
  console.log(
    `mean wait ${mean.toFixed(1)} ms, p95 ${waits[Math.floor(waits.length * 0.95)].toFixed(1)} ms, longest ${waits.at(-1).toFixed(0)} ms`,
  );
  console.log(`within three times the mean: ${(within * 100).toFixed(1)} % (95 % required)`);
}
