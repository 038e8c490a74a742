import { randomBytes } from 'node:crypto';

/**
 * The environment variable by which what a plugin started is found again after it has left the process group. It holds
 * one mark, or more where a plugin runs a server with plugins of its own.
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
