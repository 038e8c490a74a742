import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { measureMemory } from '../../../src/processes/memory.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import { built } from '../../built.js';
import { makeTree } from '../../make-tree.js';

const { createReaper } = built<typeof import('../../../src/processes/reaper.js')>('processes/reaper');

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(script: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  started.push(child);
  return child;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
};

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
    const folder = makeTree({});
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

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.filter(([, parent]) => parent === pid).map(([child]) => child!);
}

describe.skipIf(process.platform === 'win32')('the reaper', () => {
  const LIVES = 'setInterval(() => {}, 1000)';
  const group = (child: ChildProcess, tag = 'x'.repeat(24)) => ({ pid: child.pid!, tag });

  it('ends the groups that are left when its pipe closes, and no other', async () => {
    const [left, removed, other] = [start(LIVES), start(LIVES), start(LIVES)];
    const reaper = createReaper();
    for (const child of [left, removed]) reaper.add(group(child));
    reaper.remove(group(removed));
    reaper.close();
    await once(left, 'exit');
    // They continue: the reaper has done its work.
    await delay(200);
    expect([removed, other].map(({ pid }) => isAlive(pid!))).toEqual([true, true]);
  });

  it.skipIf(process.platform !== 'linux')('finds what left a group by its mark', async () => {
    const tag = 'a1'.repeat(12);
    const leader = start(LIVES);
    const strays = [
      start(LIVES, { MORTISE_PLUGIN_PROCESS: tag }),
      start(LIVES, { MORTISE_PLUGIN_PROCESS: `z ${tag}` }),
    ];
    const reaper = createReaper();
    reaper.add(group(leader, tag));
    reaper.remove(group(leader, tag));
    await Promise.all(strays.map((child) => once(child, 'exit')));
    expect(isAlive(leader.pid!)).toBe(true);
    reaper.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'finds what left a group without its mark, while its parent lives',
    async () => {
      const stray = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(LIVES)}], { detached: true, stdio: 'ignore', env: {} })`;
      const leader = start(`console.log(${stray}.pid); ${LIVES}`);
      const [line] = await once(leader.stdout!, 'data');
      const reaper = createReaper();
      reaper.add(group(leader));
      expect(isAlive(Number(line))).toBe(true);
      reaper.close();
      await once(leader, 'exit');
      await expect.poll(() => isAlive(Number(line))).toBe(false);
    },
  );

  it.skipIf(process.platform !== 'linux')('is replaced when someone ends it', async () => {
    const isReaper = (pid: number) => commandOf(pid).includes('reaper-main');
    const all = () => childrenOf(process.pid).filter(isReaper);
    // Of what ran before in this process.
    const others = all();
    const find = () => all().filter((pid) => !others.includes(pid));
    const child = start(LIVES);
    const reaper = createReaper();
    reaper.add(group(child));
    await expect.poll(() => find().length).toBe(1);
    const [first] = find();
    process.kill(first!, 'SIGKILL');
    await expect.poll(() => find().filter((pid) => pid !== first).length).toBe(1);
    reaper.close();
    await once(child, 'exit');
  });
});

describe.skipIf(process.platform === 'win32')('a process that the operating system does not start', () => {
  const module = (name: string) => JSON.stringify(new URL(`../../../build/${name}.js`, import.meta.url));
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { createProcessPool } from ${module('run/process/process-pool')};
    import { createReaper } from ${module('processes/reaper')};
    const log = new Proxy({}, { get: () => () => {} });
    const redactor = { lines: (emit) => ({ add: emit, end() {} }) };
    const reaper = createReaper();
    const pool = createProcessPool({ maxMemoryMb: 256, limits: ${JSON.stringify(DEFAULT_LIMITS)}, log, reaper, redactor, commonEnvironment: () => process.env });
    const files = [];
    try { for (;;) files.push(openSync('/dev/null')); } catch {}
    const failed = pool.take(process.env);
    pool.prepare();
    console.log(await failed.request({ do: 'ping' }).catch(({ reason }) => reason));
    // By then the spare was tried as well.
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const file of files) closeSync(file);
    console.log(await pool.take(process.env).request({ do: 'ping' }));
    await pool.close();
    reaper.close();`;

  it('says why, and the next one is started when it can be', () => {
    const command = ['-c', 'ulimit -n 128; exec "$@"', '-', process.execPath, '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync('sh', command, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^it could not be started: .*EMFILE.*\nnull\n$/);
  });
});
