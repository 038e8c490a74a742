import { describe, expect, it } from 'vitest';
import { createRestartBackoff } from '../../src/processes/restart-backoff.js';

describe('delays between restarts after crashes', () => {
  it('grow from none to two seconds, and begin again once a process has answered a call', () => {
    let now = 0;
    const backoff = createRestartBackoff(() => now);
    const afterCrash = (hasAnswered: boolean) => {
      backoff.crashed(hasAnswered);
      return backoff.nextMs();
    };
    expect(backoff.nextMs()).toBe(0);
    expect(Array.from({ length: 5 }, () => afterCrash(false))).toEqual([0, 100, 200, 400, 800]);
    now += 500;
    expect(backoff.nextMs()).toBe(300);
    now += 500;
    expect(backoff.nextMs()).toBe(0);
    expect(Array.from({ length: 100 }, () => afterCrash(false)).at(-1)).toBe(2000);
    expect(Array.from({ length: 100 }, () => afterCrash(true)).at(-1)).toBe(0);
    expect(afterCrash(false)).toBe(100);
  });
});
