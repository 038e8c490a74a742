import { describe, expect, it } from 'vitest';
import { LIST, sendAs, startServer, WRONG } from './refusals.js';
import { ask, KEYS, post, session } from './three-keys.js';

describe('a request over HTTP that is refused', () => {
  it('has a line of the audit, whatever it is refused for', async () => {
    const { url, lines } = await startServer();
    const noKey = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body: '{}' });
    const statuses = [
      await sendAs(url, 'evil.example'),
      (await noKey({ origin: 'https://evil.example' })).status,
      (await noKey({})).status,
      (await post(url, WRONG, LIST)).status,
      (await post(`${url}/p/nothing?key=${KEYS.open}`, KEYS.open, LIST)).status,
      (await post(url, KEYS.zebra, LIST, await session(url, KEYS.open))).status,
      (await post(url, KEYS.zebra, LIST, { 'mcp-session-id': 'none' })).status,
      (await ask(url, KEYS.zebra, 'resources/read', { uri: 'mortise://plugins' })).status,
    ];
    expect(statuses).toEqual([403, 403, 401, 401, 404, 404, 404, 403]);
    const [address, target] = ['127.0.0.1', '/mcp'];
    const http = { event: 'refused', method: 'POST', address, target };
    expect(lines()).toMatchObject([
      { ...http, outcome: 'HOST_NOT_ALLOWED', status: 403 },
      { ...http, outcome: 'ORIGIN_NOT_ALLOWED', status: 403 },
      { ...http, outcome: 'KEY_MISSING', status: 401 },
      { ...http, event: 'login-failed', outcome: 'KEY_INVALID', status: 401 },
      { ...http, outcome: 'PROFILE_UNKNOWN', status: 404, principal: 'open', target: '/mcp/p/nothing' },
      { ...http, outcome: 'SESSION_OF_ANOTHER', status: 404, principal: 'zebra' },
      { ...http, outcome: 'SESSION_NOT_FOUND', status: 404, principal: 'zebra' },
      { event: 'refused', method: 'resources/read', outcome: 'SCOPE_MISSING', principal: 'zebra' },
    ]);
    expect(JSON.stringify(lines())).not.toContain(KEYS.open);
  });
});
