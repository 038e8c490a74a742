import { describe, expect, it, onTestFinished } from 'vitest';
import { call, codeOf, startLimited } from './limited-keys.js';

it('has a line for a key that is not valid', async () => {
  const { url, audit } = await startLimited({}, { one: {} }, onTestFinished);
  const headers = { authorization: 'Bearer not-a-key-that-anyone-was-ever-given', 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  const text = audit();
  expect(JSON.parse(text)).toMatchObject({ event: 'login-failed', address: '127.0.0.1', outcome: 'KEY_INVALID' });
  expect(text).not.toContain('not-a-key');
});

describe('the limits of a principal', () => {
  it('let a burst through, then the rate, and nothing of it concerns another principal', async () => {
    const keys = { one: {}, two: { Limits: { CallsPerSecond: 1000 } } };
    const { open } = await startLimited({ CallsPerSecond: 2, Burst: 8 }, keys, onTestFinished);
    const [one, two] = [await open('one'), await open('two')];
    const results = await Promise.all(Array.from({ length: 40 }, () => call(one, 'echo')));
    const refused = results.filter((result) => codeOf(result) === 'RATE_LIMITED');
    expect(results.length - refused.length).toBeGreaterThanOrEqual(8);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.structuredContent).toMatchObject({
      errors: [
        {
          code: 'RATE_LIMITED',
          category: 'Concurrency',
          mcpErrorCode: -32603,
          data: { additionalData: { limit: 'Limits.CallsPerSecond', retryAfterMs: expect.stringMatching(/^\d+$/) } },
        },
      ],
    });
    const others = await Promise.all(Array.from({ length: 40 }, () => call(two, 'echo')));
    expect(others.map(codeOf)).toEqual(Array(40).fill('ok'));
    await expect.poll(async () => codeOf(await call(one, 'echo'))).toBe('ok');
  });

  it('let some calls run and some wait, and lose no slot to cancels and crashes', async () => {
    const limits = { ConcurrentCalls: 2, QueuedCalls: 1 };
    const { open, audit } = await startLimited(limits, { one: {}, two: {} }, onTestFinished);
    const [one, two] = [await open('one'), await open('two')];
    const source = new AbortController();
    const cancelled = one.callTool({ name: 'wait', arguments: {} }, { signal: source.signal }).catch(() => 'cancelled');
    const held = call(one, 'wait');
    const queued = call(one, 'echo');
    await expect.poll(async () => codeOf(await call(one, 'echo'))).toBe('RATE_LIMITED');
    expect(codeOf(await call(two, 'echo'))).toBe('ok');
    source.abort();
    expect(await cancelled).toBe('cancelled');
    expect(codeOf(await queued)).toBe('ok');
    await call(two, 'crash');
    expect(codeOf(await held)).toBe('PLUGIN_CRASHED');
    const again = await Promise.all([call(one, 'echo'), call(one, 'echo'), call(one, 'echo')]);
    expect(again.map(codeOf)).toEqual(['ok', 'ok', 'ok']);
    const refusals = audit()
      .split('\n')
      .filter((line) => line.includes('RATE_LIMITED'));
    expect(JSON.parse(refusals[0]!)).toMatchObject({ event: 'refused', principal: 'one', outcome: 'RATE_LIMITED' });
  });
});
