import { describe, expect, it } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { KEYS } from './access/three-keys.js';
import { caller, callOf, idOf, openServer } from './identified-calls.js';
import { shared } from './support/clients.js';

const server = shared(openServer);
const call = caller(server);

describe('a call that fails', () => {
  it('is found by its id when its client cancels it, which gets no response', async () => {
    const { url, auditLines, logLines } = server();
    const stop = new AbortController();
    const request = fetch(url, { ...callOf('waits', KEYS.open), signal: stop.signal }).catch(() => 'cancelled');
    await call('works');
    stop.abort();
    expect(await request).toBe('cancelled');
    const cancelled = () => auditLines().find(({ target, principal }) => target === 'waits' && principal === 'open');
    await expect.poll(() => cancelled()?.callId).toBeDefined();
    const { callId } = cancelled()!;
    await expect.poll(() => logLines().some((line) => line.includes(String(callId)))).toBe(true);
  });

  it('is found by `mortise audit --call`', async () => {
    const { workplace } = server();
    const callId = idOf(await call('throws'))!;
    const { stdout } = await runMortise(workplace, ['audit', '--call', callId, '--json', '--config', workplace.config]);
    expect(JSON.parse(stdout)).toMatchObject({ entries: 1, lines: [{ callId, outcome: 'TOOL_EXCEPTION' }] });
  });
});
