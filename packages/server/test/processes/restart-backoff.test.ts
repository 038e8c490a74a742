import { describe, expect, it } from 'vitest';
import { createRestartBackoff } from '../../src/processes/restart-backoff.js';

describe('delays between restarts after crashes', () => {
  it('grow from none to half a minute, and begin again after a healthy minute', () => {
    let now = 0;
    const backoff = createRestartBackoff(() => now);
    const afterCrash = (ranMs: number) => {
      backoff.crashed(ranMs);
      return backoff.nextMs();
    };
    expect(backoff.nextMs()).toBe(0);
    expect(Array.from({ length: 5 }, () => afterCrash(10))).toEqual([0, 100, 200, 400, 800]);
    now += 500;
    expect(backoff.nextMs()).toBe(300);
    now += 500;
    expect(backoff.nextMs()).toBe(0);
    expect(Array.from({ length: 10 }, () => afterCrash(0)).at(-1)).toBe(30_000);
    expect(afterCrash(60_001)).toBe(0);
    expect(afterCrash(10)).toBe(100);
  });

  it('remember a crash for a minute', () => {
    let now = 0;
    const backoff = createRestartBackoff(() => now);
    expect(backoff.crashedRecently()).toBe(false);
    backoff.crashed(10);
    now += 59_000;
    expect(backoff.crashedRecently()).toBe(true);
    now += 2000;
    expect(backoff.crashedRecently()).toBe(false);
  });
});
