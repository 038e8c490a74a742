import type { PluginProblem } from '@mortise/plugin/runtime';
import type { PluginKindRow } from './plugin-kinds.js';
import type { PluginNeeds } from './plugin-needs.js';
import type { PluginOrigin } from './plugin-origin.js';

/**
 * One plugin as `mortise list`, `mortise doctor` and `mortise://plugins` show it. `plugins/catalog/plugin-statuses.ts`
 * fills it; its schema is in `packages/plugin/src/contract/builtin-results.ts`.
 */
export interface PluginStatus {
  /** The file or folder name without extension, the name of a package, or `mcp.<server>` for a mounted server. */
  name: string;
  /** `version` in the plugin's package.json. */
  version?: string;
  /** Where the plugin comes from; absent for what ships with the server, and for mounted servers. */
  origin?: PluginOrigin;
  /** The needs that the plugin declares under `mortise.needs`. */
  needs?: PluginNeeds;
  /** What `Plugins.Confine` allows the plugin; absent if it is not confined. */
  confinedTo?: PluginNeeds;
  /** `dotnet` is a C# plugin, `server` a mounted server. */
  kind: PluginKindRow['shownAs'];
  /** The absolute path of the file or folder; for a mounted server its settings key. */
  path: string;
  /** `no tools`: the module exports no tools, which is not an error. */
  state: 'loading' | 'loaded' | 'failed' | 'no tools';
  /** Wire names. */
  tools: string[];
  resources: string[];
  prompts: string[];
  /** The instructions of a mounted server for models. */
  instructions?: string;
  problems: PluginProblem[];
  loadMs?: number;
  /** Present in `mortise://plugins` for callers that may operate the server. */
  activity?: PluginActivity;
}

/** Statistics of a plugin since the server started (docs/spec/access.md#activity). */
export interface PluginActivity {
  /** Number of admitted tool calls, resource reads and prompts. */
  readonly calls: number;
  readonly errors: number;
  /** Median time in the plugin, to 5 %; absent before the first call. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** Number of unexpected ends of the plugin's process or connection. The next call starts it again. */
  readonly crashes: number;
  /** Resident memory of the plugin's process and its descendants; absent if the plugin has no process now. */
  readonly memoryBytes?: number;
}

/** A plugin and the process that runs it, if any. */
export interface RunningPlugin {
  readonly path: string;
  readonly processId?: number | undefined;
  readonly crashes: number;
}
