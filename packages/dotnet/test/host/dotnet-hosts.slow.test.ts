import { isGroupAlive } from '@mortise/process';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DotnetHosts } from '../../src/host/dotnet-hosts.js';
import { openDotnet } from '../msbuild/evaluations.js';
import { describeWithSdk } from '../sdk.js';

const IDLE_MS = 600_000;

describeWithSdk('the .NET process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends after ten idle minutes, and the next request starts another', async () => {
    const { hosts } = openDotnet();
    const first = await pidOf(hosts);
    vi.advanceTimersByTime(IDLE_MS);
    const second = await pidOf(hosts);
    expect(second).not.toBe(first);
    vi.useRealTimers();
    await expect.poll(() => isGroupAlive(first)).toBe(false);
    expect(isGroupAlive(second)).toBe(true);
  });

  it('stays if a request arrives within ten minutes', async () => {
    const { hosts } = openDotnet();
    const first = await pidOf(hosts);
    for (let count = 0; count < 3; count += 1) {
      vi.advanceTimersByTime(IDLE_MS - 1);
      expect(await pidOf(hosts)).toBe(first);
    }
  });
});

/** The process leads its group, so this is the id of the group too. */
async function pidOf(hosts: DotnetHosts): Promise<number> {
  const place = { folder: process.cwd(), runsGenerators: false };
  const signal = new AbortController().signal;
  const answer = await hosts.request(place, { method: 'ping', params: {}, signal, onProgress() {} });
  return (answer as { processId: number }).processId;
}
