import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { measureMemory } from '../src/memory.js';
import { childrenOf, start } from './processes.js';

const HOLDS_40_MB = 'globalThis.held = Buffer.alloc(40 << 20, 1);';
const MB = 1024 * 1024;

describe.skipIf(process.platform === 'win32')('the memory of a process', () => {
  it('is resident, with its group and with children that left the group', async () => {
    const spawnHolder = (detached: boolean) =>
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${HOLDS_40_MB} console.log('up'); setInterval(() => {}, 1000)`)}], { stdio: 'inherit', detached: ${detached} });`;
    const child = start(`${HOLDS_40_MB} ${spawnHolder(false)} ${spawnHolder(true)} setInterval(() => {}, 1000)`);
    const other = start(`console.log('up'); setInterval(() => {}, 1000)`);
    let text = '';
    child.stdout!.on('data', (chunk) => {
      text += chunk;
    });
    await once(other.stdout!, 'data');
    await expect.poll(() => text).toBe('up\nup\n');
    for (const measurement of ['sample', 'all'] as const) {
      const sizes = await measureMemory([child.pid!, other.pid!, 999_999_999], measurement);
      expect(sizes.get(child.pid!)! / MB, measurement).toBeGreaterThan(3 * 60);
      expect(sizes.get(child.pid!)! / MB, measurement).toBeLessThan(3 * 150);
      expect(sizes.get(other.pid!)! / MB, measurement).toBeLessThan(150);
      expect(sizes.get(other.pid!)! / MB, measurement).toBeGreaterThan(10);
      expect(sizes.get(999_999_999), measurement).toBe(0);
    }
    for (const pid of childrenOf(child.pid!)) process.kill(pid, 'SIGKILL');
  });

  it.skipIf(process.platform !== 'linux')('is also of what lost its parent and left the group', async () => {
    const holder = `${HOLDS_40_MB} console.log(process.pid); setInterval(() => {}, 1000)`;
    const spawned = (script: string, more: string) =>
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], { stdio: 'inherit', detached: true })${more};`;
    const environment = { MORTISE_PLUGIN_PROCESS: 'outer 5ae1b2c3' };
    const child = start(`${spawned(spawned(holder, '.unref()'), '')} setInterval(() => {}, 1000)`, environment);
    const [line] = await once(child.stdout!, 'data');
    onTestFinished(() => void process.kill(Number(line), 'SIGKILL'));
    await expect.poll(() => childrenOf(child.pid!)).toEqual([]);
    const sizes = await measureMemory([child.pid!], 'all');
    expect(sizes.get(child.pid!)! / MB).toBeGreaterThan(2 * 60);
  });

  it.skipIf(process.platform !== 'linux')('is also of what drops its tag after it was seen once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const holder = `${HOLDS_40_MB} console.log('held'); setInterval(() => {}, 1000)`;
    const waiting = `echo $$; until [ -e ${folder}/go ]; do sleep 0.05; done; exec env -i ${process.execPath} -e "${holder}"`;
    const script = `require('child_process').spawn('sh', ['-c', 'setsid sh -c "$WAITING" &'], { stdio: 'inherit', env: { ...process.env, WAITING: ${JSON.stringify(waiting)} } }); setInterval(() => {}, 1000)`;
    const child = start(script, { MORTISE_PLUGIN_PROCESS: 'outer 6be1b2c3' });
    const [line] = await once(child.stdout!, 'data');
    onTestFinished(() => void process.kill(Number(line), 'SIGKILL'));
    await expect.poll(() => childrenOf(child.pid!)).toEqual([]);
    expect((await measureMemory([child.pid!], 'all')).get(child.pid!)! / MB).toBeLessThan(2 * 60);
    writeFileSync(join(folder, 'go'), '');
    await once(child.stdout!, 'data');
    expect((await measureMemory([child.pid!], 'all')).get(child.pid!)! / MB).toBeGreaterThan(2 * 60);
  });
});
