import type { PluginProblem } from '@mortise/plugin/runtime';
import type { PluginKindRow } from './plugin-kinds.js';

/** One plugin as `mortise list`, `mortise doctor` and `mortise://plugins` show it. */
export interface PluginStatus {
  /** Its file's or folder's name without extension; the name of a package; `mcp.<server>` for a mounted server. */
  name: string;
  /** The version in the plugin's package.json, if any. */
  version?: string;
  /** `dotnet` is a C# plugin, `server` a mounted one. */
  kind: PluginKindRow['shownAs'];
  /** Absolute path of the file or folder; for a mounted server the key of its setting. */
  path: string;
  /** `no tools`: a module that exports none; listed, not an error. */
  state: 'loading' | 'loaded' | 'failed' | 'no tools';
  /** Wire names. */
  tools: string[];
  resources: string[];
  prompts: string[];
  /** Errors and warnings, each with a code, a place and a next step. */
  problems: PluginProblem[];
  /** How long loading took, in milliseconds. */
  loadMs?: number;
}
