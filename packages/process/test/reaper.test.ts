import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createReaper } from '../src/reaper.js';
import { childrenOf, isAlive, start } from './processes.js';

/** As the server publishes it. */
const MAIN = fileURLToPath(new URL('../../server/dist/reaper-main.cjs', import.meta.url));

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

describe.skipIf(process.platform === 'win32')('the reaper', () => {
  const LIVES = 'setInterval(() => {}, 1000)';
  const group = (child: ChildProcess, tag = 'x'.repeat(24)) => ({ pid: child.pid!, tag });

  it('ends the groups that are left when its pipe closes, and no other', async () => {
    const [left, removed, other] = [start(LIVES), start(LIVES), start(LIVES)];
    const reaper = createReaper(MAIN);
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
    const reaper = createReaper(MAIN);
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
      const reaper = createReaper(MAIN);
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
    const reaper = createReaper(MAIN);
    reaper.add(group(child));
    await expect.poll(() => find().length).toBe(1);
    const [first] = find();
    process.kill(first!, 'SIGKILL');
    await expect.poll(() => find().filter((pid) => pid !== first).length).toBe(1);
    reaper.close();
    await once(child, 'exit');
  });
});
