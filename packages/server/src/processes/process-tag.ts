import { randomBytes } from 'node:crypto';

/**
 * The environment variable by which descendants of a plugin are found after they have left its process group. It contains
 * one tag, or several if a plugin runs a server with its own plugins.
 */
export const PROCESS_TAG_VARIABLE = 'MORTISE_PLUGIN_PROCESS';

/** A new tag, and the environment that gives it to a process and to all that it starts. */
export function createProcessTag(): { readonly tag: string; readonly environment: Readonly<Record<string, string>> } {
  const tag = randomBytes(12).toString('hex');
  return {
    tag,
    environment: { [PROCESS_TAG_VARIABLE]: [process.env[PROCESS_TAG_VARIABLE], tag].filter(Boolean).join(' ') },
  };
}
