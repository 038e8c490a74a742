import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { makeWorkplace, removeWorkplace } from '../support/workplace.js';

/** The conformance plugins, for all tests of a file: servers after the first find the list of tools remembered. */
export const workplace = makeWorkplace(
  {},
  { Plugins: { Directory: fileURLToPath(new URL('plugins', import.meta.url)) } },
);
afterAll(() => removeWorkplace(workplace));
