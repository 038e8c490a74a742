import type { McpServerEntry } from './settings.js';

/** An entry of `Plugins.McpServers` as it was read: the shape that clients use, extras included. */
interface RawEntry {
  readonly type?: string;
  readonly disabled?: boolean;
  readonly command?: string;
  readonly url?: string;
  readonly cwd?: string;
}

/** The servers to mount: without those that are disabled, and each program with a working folder. */
export function mountedServers(
  rawEntries: Readonly<Record<string, RawEntry>>,
  baseDir: string,
): Record<string, McpServerEntry> {
  const entries = Object.entries(rawEntries)
    .filter(([, { disabled }]) => disabled !== true)
    .map(([name, { type, disabled, ...entry }]) => [
      name,
      entry.url === undefined ? { cwd: baseDir, ...entry } : entry,
    ]);
  return Object.fromEntries(entries);
}
