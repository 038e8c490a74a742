import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { KEYS } from './three-keys.js';

export const LIST = { id: 1, method: 'tools/list' };
export const WRONG = 'a-key-that-no-one-was-ever-given-123';

export async function startServer() {
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
export const sendAs = (url: string, host: string) =>
  new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', headers: { host } }, (res) => resolve(res.resume().statusCode));
    req.on('error', reject).end();
  });
