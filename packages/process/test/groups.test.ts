import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { groupMembers, isGroupAlive, kill, killTree, signalGroup } from '../src/groups.js';
import { descendantsOf, isSameOrDescendant } from '../src/tree.js';
import { isAlive, pidsOf, spawning, start, startZombie } from './processes.js';

const LIVES = 'setInterval(() => {}, 1000)';

describe.skipIf(process.platform !== 'linux')('a process group', () => {
  it('gets a signal as a whole, and is there until its last process has ended', async () => {
    const leader = start(`${spawning(LIVES, {})} ${LIVES}`);
    const [member] = await pidsOf(leader, 1);
    expect(isGroupAlive(leader.pid!)).toBe(true);
    const members = [leader.pid!, member!].map((pid) => ({ pid, name: expect.stringMatching(/^(node|MainThread)$/) }));
    expect(groupMembers(leader.pid!)).toHaveLength(2);
    expect(groupMembers(leader.pid!)).toEqual(expect.arrayContaining(members));
    leader.kill('SIGKILL');
    await once(leader, 'exit');
    expect(isGroupAlive(leader.pid!)).toBe(true);
    signalGroup(leader.pid!, 'SIGTERM');
    await expect.poll(() => isGroupAlive(leader.pid!)).toBe(false);
    expect(groupMembers(leader.pid!)).toEqual([]);
  });

  it('has ended although its last process was not collected yet', async () => {
    const zombie = await startZombie();
    expect(isGroupAlive(zombie)).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('a tree of processes', () => {
  it('contains what a thread started, and what left the group without its environment', async () => {
    const inThread = `new (require('worker_threads').Worker)(${JSON.stringify(`${spawning(LIVES, {})} ${LIVES}`)}, { eval: true });`;
    const stranger = spawning(`${spawning(LIVES, {})} ${LIVES}`, { detached: true, env: {} });
    const leader = start(`${inThread} ${stranger} ${LIVES}`);
    const other = start(LIVES);
    const pids = await pidsOf(leader, 3);
    expect(descendantsOf(leader.pid!).sort()).toEqual(pids.sort());
    expect(pids.every((pid) => isSameOrDescendant(pid, leader.pid!) && isSameOrDescendant(pid, process.pid))).toBe(
      true,
    );
    expect(isSameOrDescendant(leader.pid!, pids[0]!)).toBe(false);
    killTree(leader.pid!);
    await expect.poll(() => [leader.pid!, ...pids].filter(isAlive)).toEqual([]);
    expect(isAlive(other.pid!)).toBe(true);
  });

  it('of a process that has ended is empty', async () => {
    const ended = start('');
    await once(ended, 'exit');
    expect(descendantsOf(ended.pid!)).toEqual([]);
    expect(isSameOrDescendant(ended.pid!, process.pid)).toBe(false);
    killTree(ended.pid!);
    expect(kill(ended.pid!)).toBe(false);
  });
});
