import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isSameStartTime, processStartTime } from '../src/start-time.js';
import { start, startZombie } from './processes.js';

describe.skipIf(process.platform !== 'linux')('the start time of a process', () => {
  it('tells it from any other, and ends with it', async () => {
    const first = start('setInterval(() => {}, 1000)');
    // The kernel counts in ticks of 10 ms.
    await delay(20);
    const second = start('setInterval(() => {}, 1000)');
    const [time, other] = [first, second].map(({ pid }) => processStartTime(pid!)!);
    expect(isSameStartTime(time!, processStartTime(first.pid!)!)).toBe(true);
    expect(isSameStartTime(time!, other!)).toBe(false);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(processStartTime(first.pid!)).toBeUndefined();
    expect(processStartTime(await startZombie())).toBeUndefined();
  });
});
