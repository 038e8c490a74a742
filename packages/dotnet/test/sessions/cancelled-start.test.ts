import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createSessions } from '../../src/sessions/create-sessions.js';
import { openProcesses } from '../process/support.js';

const folder = mkdtempSync(join(tmpdir(), 'cancelled-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a start that is cancelled ends its program', async () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const { processes, close } = openProcesses();
  const table = createSessions({ processes, keepMs: 60_000, maxLines: 20, startWaitMs: 30_000 });
  const cancel = new AbortController();
  const starting = table
    .of('a')
    .start({ args: [program], cwd: folder, target: folder, kind: 'run', timeoutMs: 60_000, signal: cancel.signal });
  setImmediate(() => cancel.abort());
  const { started, session } = await starting;
  expect({ started, status: session.status }).toEqual({ started: false, status: 'stopped' });
  await table.close();
  await close();
});
