import { type PluginProblem, type PluginSettings, pointerSegment } from '@mortise/plugin/runtime';
import type { SettingPath } from './check-schema.js';
import type { SettingsProblem } from './settings-error.js';

/** The section with the settings of single plugins. */
export const PLUGIN_SETTINGS = 'Plugins.Settings';
/** The section with the servers that are mounted. */
export const MOUNTED_SERVERS = 'Plugins.McpServers';

/** The plugin or mounted server that an entry of the settings belongs to. */
export interface SettingOwner {
  /** `Plugins.Settings` */
  readonly section: string;
  readonly name: string;
  /** The JSON pointer in the entry. */
  readonly pointer: string;
}

/** The settings of one plugin, apart from what the server adds for it. */
export type PluginSection = Omit<PluginSettings, 'dataDir' | 'file'>;

/** A reference that cannot be fetched, in the settings of one plugin or mounted server. */
export interface UnavailableReference {
  readonly owner: SettingOwner;
  readonly problem: SettingsProblem;
}

/** A variable that the settings fetch by `${env:NAME}`. */
export interface FetchedVariable {
  readonly name: string;
  /** The key of the setting that it was fetched for. */
  readonly key: string;
  /** The plugin or mounted server that the setting belongs to, where it belongs to one. */
  readonly owner?: SettingOwner | undefined;
}

/** Whether the settings of a plugin are its cause, not the plugin. */
export const isOfSettings = ({ code }: Pick<PluginProblem, 'code'>): boolean => code.startsWith('SETTING_');

/** The JSON pointer of a path. */
export const pointerOf = (path: SettingPath): string => path.map((key) => `/${pointerSegment(key)}`).join('');

/** The plugin or mounted server that a setting belongs to, if it belongs to one. */
export function ownerOf([top, section, name, ...rest]: SettingPath): SettingOwner | undefined {
  const owned = `${top}.${section}`;
  if (name === undefined || (owned !== PLUGIN_SETTINGS && owned !== MOUNTED_SERVERS)) return undefined;
  return { section: owned, name: String(name), pointer: pointerOf(rest) };
}
