import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const WORKER = fileURLToPath(new URL('./fixtures/lock-worker.mjs', import.meta.url));
const SERVERS = 20;
const KILLS = 60;

it('never lets two of twenty servers hold a lock, however they are killed, and somebody gets it after each kill', async () => {
  const temp = mkdtempSync(join(tmpdir(), 'locks-killed-'));
  const folder = join(temp, 'locks');
  const repository = join(temp, 'repository');
  for (const name of ['one', 'two']) mkdirSync(join(repository, name), { recursive: true });
  writeFileSync(join(repository, 'one', 'App.csproj'), '<Project />');
  writeFileSync(join(repository, 'two', 'Lib.csproj'), '<Project />');
  const solution = 'Microsoft Visual Studio Solution File\nProject("{F}") = "App", "App.csproj", "{A}"\nEndProject\n';
  writeFileSync(join(repository, 'one', 'App.sln'), solution);
  const violations: string[] = [];
  let acquired = 0;
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [WORKER, folder, repository, '1000000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line === 'acquired') acquired += 1;
      else violations.push(line);
    });
    return child;
  };
  const oneMore = async () => {
    const before = acquired;
    await expect.poll(() => acquired > before || violations.length > 0).toBe(true);
    expect(violations).toEqual([]);
  };
  const servers = Array.from({ length: SERVERS }, start);
  try {
    await oneMore();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const at = Math.floor(Math.random() * SERVERS);
      const killed = servers[at]!;
      killed.kill('SIGKILL');
      await once(killed, 'close');
      await oneMore();
      servers[at] = start();
    }
  } finally {
    const running = servers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    for (const server of running) server.kill('SIGKILL');
    await Promise.all(running.map((server) => once(server, 'close')));
  }
  expect(violations).toEqual([]);
  expect(acquired).toBeGreaterThan(KILLS);
  const last = spawn(process.execPath, [WORKER, folder, repository, '20'], { stdio: 'ignore' });
  await once(last, 'close');
  expect(readdirSync(folder).filter((name) => !name.endsWith('.draft'))).toEqual([]);
  rmSync(temp, { recursive: true, force: true });
});
