import { type PluginProblem, type PluginSettings, pointerSegment } from '@mortise/plugin/runtime';
import type { SettingPath } from './check-schema.js';
import type { SettingsProblem } from './settings-error.js';

/** The section with the settings of individual plugins. */
export const PLUGIN_SETTINGS = 'Plugins.Settings';
/** The section with the servers to mount. */
export const MOUNTED_SERVERS = 'Plugins.McpServers';

/** The plugin or mounted server that an entry of the settings belongs to. */
export interface SettingOwner {
  /** `Plugins.Settings` or `Plugins.McpServers`. */
  readonly section: string;
  readonly name: string;
  /** The setting's JSON pointer within the entry. */
  readonly pointer: string;
}

/** The settings of one plugin, without the members that the server adds. */
export type PluginSection = Omit<PluginSettings, 'dataDir' | 'file'>;

/** A reference in the settings of one plugin or mounted server that cannot be fetched. */
export interface UnavailableReference {
  readonly owner: SettingOwner;
  readonly problem: SettingsProblem;
}

/** A variable that the settings fetch by `${env:NAME}`. */
export interface FetchedVariable {
  readonly name: string;
  /** The key of the setting that contains the reference. */
  readonly key: string;
  /** The plugin or mounted server that the setting belongs to, if it belongs to one. */
  readonly owner?: SettingOwner | undefined;
}

/** True if the problem is in the settings of a plugin, not in the plugin. */
export const isOfSettings = ({ code }: Pick<PluginProblem, 'code'>): boolean => code.startsWith('SETTING_');

export const pointerOf = (path: SettingPath): string => path.map((key) => `/${pointerSegment(key)}`).join('');

/** Returns the plugin or mounted server that a setting belongs to, if it belongs to one. */
export function ownerOf([top, section, name, ...rest]: SettingPath): SettingOwner | undefined {
  const owned = `${top}.${section}`;
  if (name === undefined || (owned !== PLUGIN_SETTINGS && owned !== MOUNTED_SERVERS)) return undefined;
  return { section: owned, name: String(name), pointer: pointerOf(rest) };
}
