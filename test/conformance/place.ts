import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { createWorkplace, type Workplace } from '../support/workplace.js';

const home = mkdtempSync(join(tmpdir(), 'mortise-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The conformance plugins. The tests of a file share a home: all but the first find the list of tools remembered. */
export function conformancePlace(): Workplace {
  const config = fileURLToPath(new URL('appsettings.json', import.meta.url));
  const workplace = createWorkplace();
  return { ...workplace, config, env: { ...workplace.env, HOME: home, USERPROFILE: home, APPDATA: home } };
}
