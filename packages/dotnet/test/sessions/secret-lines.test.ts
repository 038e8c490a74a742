import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/sessions/create-sessions.js';
import { openProcesses } from '../process/support.js';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const lines = privateKey.trimEnd().split('\n');
const folder = mkdtempSync(join(tmpdir(), 'secret-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a private key that a program in the background prints', () => {
  it('is marked line by line, so that no tail of it, and no ring that is full, shows a part', async () => {
    const program = join(folder, 'program.mjs');
    const script = `for (const line of ${JSON.stringify([...lines.slice(0, -1)])}) { console.log(line); console.log('working'); }`;
    writeFileSync(program, script);
    const { processes, close } = openProcesses();
    const table = createSessions({ processes, keepMs: 60_000, maxLines: 20, startWaitMs: 30_000 });
    const sessions = table.of('a');
    const { signal } = new AbortController();
    const start = await sessions.start({
      args: [program],
      cwd: folder,
      target: folder,
      kind: 'run',
      timeoutMs: 60_000,
      signal,
    });
    const { sessionId } = start.session;
    await expect.poll(() => sessions.get(sessionId)?.status).toBe('exited');
    for (const filter of [{}, { tailLines: 3 }, { stream: 'stdout' as const, tailLines: 2 }, { since: new Date(0) }]) {
      const found = sessions.lines(sessionId, filter)!.lines;
      const unmarked = found.filter(({ text }) => !/^\uFDD0.*\uFDD1$/.test(text));
      expect(found.length).toBeGreaterThan(1);
      expect(unmarked.map(({ text }) => text).filter((text) => text !== 'working')).toEqual([]);
    }
    await table.close();
    await close();
  });
});
