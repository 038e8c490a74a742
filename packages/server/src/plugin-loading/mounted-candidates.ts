import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Candidate } from '../core/plugin-candidate.js';
import { MOUNTED_SERVERS, type UnavailableReference } from '../settings/setting-owner.js';
import type { LoadedSettings, McpServerEntry } from '../settings/settings.js';

/** Before the names of a mounted server's tools and prompts (docs/spec/plugins.md#mounted-servers). */
export const mountedName = (server: string): string => `mcp.${server}`;

const NAME = /^[A-Za-z0-9_.-]+$/;

/** The servers of `Plugins.McpServers` as plugins, in the order of their names. */
export function mountedCandidates({
  settings: { Plugins },
  file,
  unavailable,
}: Pick<LoadedSettings, 'settings' | 'file' | 'unavailable'>): Candidate[] {
  if (!Plugins.Enabled) return [];
  return Object.keys(Plugins.McpServers)
    .sort()
    .map((server) => {
      const own = unavailable.filter(({ owner }) => owner.section === MOUNTED_SERVERS && owner.name === server);
      const candidate = toCandidate(server, Plugins.McpServers[server]!, file);
      return own.length === 0 ? candidate : disabled(candidate, own, file);
    });
}

function toCandidate(server: string, mounted: McpServerEntry, file: string | undefined): Candidate {
  const path = `${MOUNTED_SERVERS}.${server}`;
  const common = { kind: 'server' as const, name: mountedName(server), path, directory: '', mounted };
  if (NAME.test(server)) return { ...common, entry: file ?? path, problems: [] };
  const message = `The name ${JSON.stringify(server)} cannot be a part of its tools' names`;
  const hint = 'Use only A-Z a-z 0-9 _ . - in the name of the server.';
  const location = { file: file ?? path, subject: path };
  return { ...common, problems: [{ severity: 'error', code: 'SERVER_NAME_INVALID', message, hint, location }] };
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
