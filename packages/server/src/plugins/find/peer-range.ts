import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { rangePosition, versionNumbers } from '../../util/version-range.js';
import type { PackageJson } from './package-entry.js';

/** The name of the plugin API's package, which plugins have in `peerDependencies`. */
export const PLUGIN_API = '@mortise/plugin';

/** Returns the version of the plugin API that is installed with this server. */
export function pluginApiVersion(): string {
  return (createRequire(import.meta.url)(`${PLUGIN_API}/package.json`) as { version: string }).version;
}

/** Returns `peerDependencies["@mortise/plugin"]`; undefined if there is none. */
export function peerRange({ peerDependencies }: PackageJson): string | undefined {
  const range = (peerDependencies as Record<string, unknown> | null | undefined)?.[PLUGIN_API];
  return typeof range === 'string' ? range : undefined;
}

/**
 * Returns a problem if this server's plugin API is not in the range that the plugin allows
 * (docs/spec/plugins.md#peer-range): an error if the server is older, a warning if it is newer. An invalid range is not
 * reported.
 */
export function peerProblem(
  folder: string,
  json: PackageJson,
  version: string = pluginApiVersion(),
): PluginProblem | undefined {
  const range = peerRange(json);
  const position = range === undefined ? undefined : rangePosition(versionNumbers(version)!, range);
  if (position === undefined || position === 'inside') return undefined;
  const mismatch = `The plugin was made for ${PLUGIN_API} ${range}, and this server has ${version}`;
  const location = { file: join(folder, 'package.json'), subject: `peerDependencies["${PLUGIN_API}"]` };
  const common = { code: 'PLUGIN_API_MISMATCH', location } as const;
  if (position === 'before') {
    const hint = `Update Mortise (npm install mortise@latest), or install a version of the plugin for ${PLUGIN_API} ${version}.`;
    return { ...common, severity: 'error', message: `${mismatch}, which is older; the plugin is not loaded`, hint };
  }
  const name = typeof json.name === 'string' ? json.name : 'the plugin';
  const hint = `Update the plugin (npm install ${name}@latest), or ask its author to support ${PLUGIN_API} ${version}.`;
  return { ...common, severity: 'warning', message: `${mismatch}, which is newer; the plugin is loaded`, hint };
}
