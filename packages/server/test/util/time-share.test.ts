import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { StreamShare } from '../../src/util/stream-share.js';
import { TimeShare } from '../../src/util/time-share.js';

describe('a share of the time', () => {
  it('may be used at once for a tenth of a second, and then runs off at its rate', () => {
    let now = 0;
    const share = new TimeShare(20, () => now);
    share.charge(100);
    expect(share.waitMs).toBe(0);
    share.charge(40);
    expect(share.waitMs).toBeCloseTo(200);
    now = 150;
    expect(share.waitMs).toBeCloseTo(50);
    now = 200;
    expect(share.waitMs).toBeCloseTo(0);
  });

  it('is never exceeded in the long run, whatever one piece of work takes', () => {
    let now = 0;
    let usedMs = 0;
    const share = new TimeShare(20, () => now);
    for (let round = 0; round < 200; round++) {
      const ms = 1 + ((round * 37) % 60);
      share.charge(ms);
      usedMs += ms;
      now += ms + share.waitMs;
    }
    expect(usedMs / now).toBeLessThan(0.21);
  });
});

describe('a stream with a share', () => {
  it('is not read until what came of it has run off', () => {
    vi.useFakeTimers();
    try {
      const stream = new PassThrough();
      stream.resume();
      const share = new StreamShare(stream, 50);
      share.charge(100);
      expect(stream.isPaused()).toBe(false);
      share.charge(500);
      expect(stream.isPaused()).toBe(true);
      vi.advanceTimersByTime(900);
      expect(stream.isPaused()).toBe(true);
      vi.advanceTimersByTime(200);
      expect(stream.isPaused()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});
