import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProcessMeter, startLoadClock } from '../../../src/run/shared/load-clock.js';

/** The limit that a load exceeds in the end, and when, in milliseconds. */
function exceeded(limitMs: number, meter?: Pick<ProcessMeter, 'usedMs'>): Promise<{ limit: string; afterMs: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const onExceeded = (limit: string) => resolve({ limit, afterMs: performance.now() - startedAt });
    startLoadClock({ limitMs, meter, onExceeded });
  });
}

describe('the time of a load', () => {
  it('is processor time, so that a load that waits for a busy machine has six times as long', async () => {
    const { limit, afterMs } = await exceeded(50, { usedMs: 10 });
    expect(limit).toBe('300 ms');
    expect(afterMs).toBeGreaterThanOrEqual(299);
  });

  it('is over when that much processor time was used', async () => {
    let usedMs = 0;
    const meter = {
      get usedMs() {
        usedMs += 20;
        return usedMs;
      },
    };
    expect((await exceeded(50, meter)).limit).toBe('50 ms of processor time');
  });

  it('is time on the clock where the processor time is unknown', async () => {
    expect((await exceeded(50, { usedMs: undefined })).limit).toBe('50 ms');
    expect((await exceeded(50)).limit).toBe('50 ms');
  });
});

describe.runIf(process.platform === 'linux')('the processor time of a process', () => {
  /** A process that has said that it runs; it ends with what it has started. */
  async function start(source: string): Promise<number> {
    const child = spawn(process.execPath, ['-e', `console.log(''); ${source}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
    await once(child.stdout, 'data');
    return child.pid!;
  }

  it('grows while it works, and counts from when it was watched', async () => {
    const meter = new ProcessMeter();
    meter.watch(await start('for (;;);'));
    expect(meter.usedMs).toBeLessThan(1000);
    await expect.poll(() => meter.usedMs, { timeout: 60_000 }).toBeGreaterThan(100);
  });

  it('includes what the process has started', async () => {
    const meter = new ProcessMeter();
    const loop = `require('node:child_process').spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })`;
    const pid = await start(`${loop}; setInterval(() => {}, 1e6);`);
    meter.watch(pid);
    await expect.poll(() => meter.usedMs, { timeout: 60_000 }).toBeGreaterThan(500);
  });
});
