import { fileURLToPath } from 'node:url';
import { afterFile } from '../support/after-file.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';

const SETTINGS = { Plugins: { Directory: fileURLToPath(new URL('plugins', import.meta.url)) } };

let made: Workplace | undefined;

/** The conformance plugins, for all tests of a file: servers after the first find the list of tools remembered. */
export function sharedWorkplace(): Workplace {
  if (made) return made;
  const workplace = makeWorkplace({}, SETTINGS);
  made = workplace;
  afterFile(() => {
    made = undefined;
    removeWorkplace(workplace);
  });
  return workplace;
}
