import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { MOUNTED_SERVERS, type UnavailableReference } from '../../settings/setting-owner.js';
import type { LoadedSettings, McpServerEntry } from '../../settings/settings.js';
import { by } from '../../util/order.js';

/**
 * The names of mounted servers as plugins, by their keys in `Plugins.McpServers`: they begin the names of their tools, so
 * characters that those cannot have become `_` (docs/spec/mounted-servers.md#server-names). A key that needs no change keeps its name.
 */
export function mountedNames(servers: readonly string[]): Map<string, string> {
  const names = new Map(servers.filter(isToolName).map((server) => [server, `mcp.${server}`]));
  const used = new Set(names.values());
  for (const server of servers.filter((name) => !isToolName(name))) {
    const name = `mcp.${server.replace(/[^A-Za-z0-9_.-]+/g, '_') || '_'}`;
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
    used.add(free);
    names.set(server, free);
  }
  return names;
}

const isToolName = (server: string): boolean => /^[A-Za-z0-9_.-]+$/.test(server);

/** The servers of `Plugins.McpServers` as plugins, in the order of their names. */
export function mountedCandidates({
  settings: { Plugins },
  file,
  unavailable,
}: Pick<LoadedSettings, 'settings' | 'file' | 'unavailable'>): Candidate[] {
  if (!Plugins.Enabled) return [];
  const names = mountedNames(Object.keys(Plugins.McpServers).sort());
  return [...names].sort(by(([server]) => server)).map(([server, name]) => {
    const own = unavailable.filter(({ owner }) => owner.section === MOUNTED_SERVERS && owner.name === server);
    const candidate = toCandidate({ server, name }, Plugins.McpServers[server]!, file);
    return own.length === 0 ? candidate : disabled(candidate, own, file);
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

/** A server whose settings cannot be fetched is not started; the others are. */
function disabled(
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
