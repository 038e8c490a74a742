import type { JsonObject } from '@mortise/plugin';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { McpServerEntry } from '../settings/settings.js';
import type { PluginKind } from './plugin-kinds.js';

/** How the names of tools are spelled for clients (docs/spec/plugin-definitions.md#name-rule). */
export type NameStyle = 'portable' | 'exact';

/** What is known of a plugin that ships with the server. */
export interface BundledPlugin {
  /** Its configuration. */
  readonly config: JsonObject;
  /** What it provides, without loading its code. */
  prepared(): Promise<PluginDefinition>;
}

/** A file or folder that is meant as a plugin (docs/spec/plugins.md#candidates). */
export interface Candidate {
  readonly kind: PluginKind;
  /** Its file's or folder's name without extension; of a package of `Plugins.Packages` the package's name. */
  readonly name: string;
  /** The absolute path in the plugins folder, or in `node_modules`. */
  readonly path: string;
  /** The plugins folder that it was found in. */
  readonly directory: string;
  /** The module to load, absolute; undefined if there is none; then `problems` contains the reason. */
  readonly entry?: string;
  /** The folder of a plugin that is a folder. */
  readonly root?: string;
  /** From `version` of its package.json. */
  readonly version?: string;
  /** From `mortise.nameStyle` of its package.json. */
  readonly nameStyle?: NameStyle;
  /** Of a plugin that ships with the server. */
  readonly bundled?: BundledPlugin;
  /** Of a server of `Plugins.McpServers`, where `path` is its key and `entry` the location of that key. */
  readonly mounted?: McpServerEntry;
  readonly problems: readonly PluginProblem[];
}

/** A plugin that has a module to load. */
export type RunnableCandidate = Candidate & { readonly entry: string };
