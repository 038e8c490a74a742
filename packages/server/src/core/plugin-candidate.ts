import type { JsonObject } from '@mortise/plugin';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { McpServerEntry } from '../settings/settings.js';
import type { PluginKind } from './plugin-kinds.js';
import type { PluginNeeds } from './plugin-needs.js';
import type { PluginOrigin } from './plugin-origin.js';

/** The spelling of tool names for clients (docs/spec/plugin-definitions.md#name-rule). */
export type NameStyle = 'portable' | 'exact';

/** The settings and the prepared definition of a plugin that ships with the server. */
export interface BundledPlugin {
  readonly config: JsonObject;
  /** Reads the definition that the build prepared, without loading the plugin's code. */
  prepared(): Promise<PluginDefinition>;
}

/** A file, folder, package or mounted server that may be a plugin (docs/spec/plugins.md#candidates). */
export interface Candidate {
  readonly kind: PluginKind;
  /** The file or folder name without extension, or the name of a package from `Plugins.Packages`. */
  readonly name: string;
  /** The absolute path in the plugins folder or in `node_modules`. A mounted server has its settings key here. */
  readonly path: string;
  /** The plugins folder in which the candidate was found. */
  readonly directory: string;
  /**
   * The absolute path of the module to load; undefined if there is none, which `problems` then explains. For a mounted
   * server: the location of its settings key.
   */
  readonly entry?: string;
  /** The plugin's folder, if the plugin is a folder. */
  readonly root?: string;
  readonly version?: string;
  /** Absent for what ships with the server, and for mounted servers. */
  readonly origin?: PluginOrigin;
  /** `mortise.nameStyle` in the plugin's package.json. */
  readonly nameStyle?: NameStyle;
  /** `mortise.needs` in the plugin's package.json, as it is written there. */
  readonly needs?: PluginNeeds;
  /** What `Plugins.Confine` allows the plugin; undefined if it is not confined. Paths are absolute. */
  readonly confinedTo?: PluginNeeds;
  readonly bundled?: BundledPlugin;
  readonly mounted?: McpServerEntry;
  readonly problems: readonly PluginProblem[];
}

export type RunnableCandidate = Candidate & { readonly entry: string };
