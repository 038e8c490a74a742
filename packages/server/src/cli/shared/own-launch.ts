import { sep } from 'node:path';
import { packagePath } from '../../util/package-root.js';
import type { Launch } from './client-entries.js';
import { shellQuote } from './shell-quote.js';

export interface OwnLaunch extends Launch {
  /** Whether this installation is one that npx keeps only for a while. */
  readonly isTemporary: boolean;
}

/** Starts this very installation with a configuration, and perhaps another plugins folder; both absolute. */
export function launchOf(config: string, plugins?: string): OwnLaunch {
  const bin = packagePath('bin/mortise.mjs');
  const args = [bin, 'serve', '--config', config, ...(plugins === undefined ? [] : ['--plugins', plugins])];
  return { command: process.execPath, args, quote: shellQuote, isTemporary: bin.includes(`${sep}_npx${sep}`) };
}
