import { sep } from 'node:path';
import { packagePath } from '../../util/package-root.js';
import type { Launch } from './client-entries.js';
import { shellQuote } from './shell-quote.js';

export interface OwnLaunch extends Launch {
  /** True if npx may delete this installation. */
  readonly isTemporary: boolean;
}

/**
 * Returns the command that starts this installation.
 * @param config absolute path of the configuration
 * @param plugins absolute path of a plugins folder that replaces the configured ones
 */
export function launchOf(config: string, plugins?: string): OwnLaunch {
  const bin = packagePath('bin/mortise.mjs');
  const args = [bin, 'serve', '--config', config, ...(plugins === undefined ? [] : ['--plugins', plugins])];
  return { command: process.execPath, args, quote: shellQuote, isTemporary: bin.includes(`${sep}_npx${sep}`) };
}
