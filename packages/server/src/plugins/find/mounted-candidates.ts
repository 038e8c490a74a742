import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { MOUNTED_SERVERS, type UnavailableReference } from '../../settings/setting-owner.js';
import type { LoadedSettings, McpServerEntry } from '../../settings/settings.js';
import { by } from '../../util/order.js';

/**
 * Returns the plugin names of mounted servers by their keys in `Plugins.McpServers`. Tool names begin with the plugin
 * name, so characters that a tool name cannot have become `_` (docs/spec/mounted-servers.md#server-names). Keys that
 * need no change come first. If several other keys become the same name, the later ones get a number.
 */
export function mountedNames(servers: readonly string[]): Map<string, string> {
  const names = new Map(servers.filter(isToolName).map((server) => [server, `mcp.${server}`]));
  const used = new Set(names.values());
  for (const server of servers.filter((name) => !isToolName(name))) {
    const name = `mcp.${server.replace(/[^A-Za-z0-9_.-]+/g, '_') || '_'}`;
    let freeName = name;
    for (let number = 2; used.has(freeName); number++) freeName = `${name}_${number}`;
    used.add(freeName);
    names.set(server, freeName);
  }
  return names;
}

const isToolName = (server: string): boolean => /^[A-Za-z0-9_.-]+$/.test(server);

/** Returns the servers of `Plugins.McpServers` as plugins, sorted by their keys; none if `Plugins.Enabled` is false. */
export function mountedCandidates({
  settings: { Plugins },
  file,
  unavailable,
}: Pick<LoadedSettings, 'settings' | 'file' | 'unavailable'>): Candidate[] {
  if (!Plugins.Enabled) return [];
  const names = mountedNames(Object.keys(Plugins.McpServers).sort());
  return [...names].sort(by(([server]) => server)).map(([server, name]) => {
    const missing = unavailable.filter(({ owner }) => owner.section === MOUNTED_SERVERS && owner.name === server);
    const candidate = toCandidate({ server, name }, Plugins.McpServers[server]!, file);
    return missing.length === 0 ? candidate : disable(candidate, missing, file);
  });
}

function toCandidate(
  { server, name }: { server: string; name: string },
  mounted: McpServerEntry,
  file: string | undefined,
): Candidate {
  const path = `${MOUNTED_SERVERS}.${server}`;
  const candidate = { kind: 'server' as const, name, path, directory: '', mounted, entry: file ?? path, problems: [] };
  if (isToolName(server)) return candidate;
  const message = `The name ${JSON.stringify(server)} cannot be a part of its tools' names, so '${name}' is used`;
  const hint = 'To choose the name yourself, use only A-Z a-z 0-9 _ . - in the name of the server.';
  const location = { file: file ?? path, subject: path };
  return {
    ...candidate,
    problems: [{ severity: 'warning', code: 'SERVER_NAME_INVALID', message, hint, location }],
  };
}

/** Removes the entry of a server whose settings cannot be fetched, so that it is not started, and adds the problems. */
function disable(
  { entry: _, ...candidate }: Candidate,
  unavailable: readonly UnavailableReference[],
  settingsFile: string | undefined,
): Candidate {
  const problems = unavailable.map(({ problem: { message, hint, file, line, column } }): PluginProblem => {
    const location = {
      file: file ?? settingsFile ?? candidate.path,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      subject: candidate.path,
    };
    return { severity: 'error', code: 'SETTING_UNAVAILABLE', message, hint, location };
  });
  return { ...candidate, problems: [...candidate.problems, ...problems] };
}
