import type { McpServerEntry } from './settings.js';
import type { ParsedSettings } from './settings-table.js';

/** The servers to mount: without those that are disabled, and each program with a working folder. */
export function mountedServers(
  rawEntries: ParsedSettings['Plugins']['McpServers'],
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
