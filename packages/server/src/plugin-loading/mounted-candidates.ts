import type { Candidate } from '../core/plugin-candidate.js';
import type { LoadedSettings, McpServerEntry } from '../settings/settings.js';

/** Before the names of a mounted server's tools and prompts (docs/spec/plugins.md#mounted-servers). */
export const mountedName = (server: string): string => `mcp.${server}`;

const NAME = /^[A-Za-z0-9_.-]+$/;

/** The servers of `Plugins.McpServers` as plugins, in the order of their names. */
export function mountedCandidates({
  settings: { Plugins },
  file,
}: Pick<LoadedSettings, 'settings' | 'file'>): Candidate[] {
  if (!Plugins.Enabled) return [];
  return Object.keys(Plugins.McpServers)
    .sort()
    .map((server) => toCandidate(server, Plugins.McpServers[server]!, file));
}

function toCandidate(server: string, mounted: McpServerEntry, file: string | undefined): Candidate {
  const path = `Plugins.McpServers.${server}`;
  const common = { name: mountedName(server), path, directory: '', mounted };
  if (NAME.test(server)) return { ...common, entry: file ?? path, problems: [] };
  const message = `The name ${JSON.stringify(server)} cannot be a part of its tools' names`;
  const hint = 'Use only A-Z a-z 0-9 _ . - in the name of the server.';
  const location = { file: file ?? path, subject: path };
  return { ...common, problems: [{ severity: 'error', code: 'SERVER_NAME_INVALID', message, hint, location }] };
}
