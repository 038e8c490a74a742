import { describe, expect, it } from 'vitest';
import { InFlight } from '../../src/util/in-flight.js';

describe('a counter of work in flight', () => {
  it('is idle when all work has ended, however it ended', async () => {
    const inFlight = new InFlight();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const good = inFlight.count(ended.then(() => 1));
    const bad = inFlight.count(Promise.reject(new Error('no')));
    const finishedNames: string[] = [];
    const idle = inFlight.idle().then(() => finishedNames.push('idle'));
    await expect(bad).rejects.toThrow('no');
    finishedNames.push('bad');
    end();
    expect(await good).toBe(1);
    await idle;
    expect(finishedNames).toEqual(['bad', 'idle']);
    await inFlight.idle();
  });
});
