import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { ask, KEYS, post, session } from './three-keys.js';

const LIST = { id: 1, method: 'tools/list' };
const WRONG = 'a-key-that-no-one-was-ever-given-123';

async function startServer() {
  const workplace = createWorkplace(
    { 'plugins/.keep': '' },
    {
      Plugins: { Directory: 'plugins' },
      Dotnet: { Enabled: false },
      Auth: {
        Keys: [
          { Name: 'open', Key: KEYS.open },
          { Name: 'zebra', Key: KEYS.zebra, Scopes: ['mortise:write'] },
        ],
      },
      Audit: { File: 'audit.jsonl' },
    },
  );
  const { url } = await startHttp(workplace);
  const lines = () => {
    const text = readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8').trimEnd();
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
  };
  return { url, lines };
}

/** With a Host of one's own, which `fetch` does not send. */
const sendAs = (url: string, host: string) =>
  new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', headers: { host } }, (res) => resolve(res.resume().statusCode));
    req.on('error', reject).end();
  });

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

  it('has none for each of thousands: whoever has no key does not fill the disk', async () => {
    const { url, lines } = await startServer();
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) statuses.push((await post(url, WRONG, LIST)).status);
    for (let n = 0; n < 30; n++) statuses.push((await fetch(url, { method: 'POST', body: '{}' })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(40);
    const count = (outcome: string) => lines().filter((line) => line.outcome === outcome).length;
    expect([count('KEY_INVALID'), count('LOGINS_LIMITED'), count('KEY_MISSING')]).toEqual([10, 10, 10]);
  });
});
