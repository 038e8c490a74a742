import type { PluginProblem } from '@mortise/plugin/runtime';
import type { PluginKindRow } from './plugin-kinds.js';

/**
 * One plugin as `mortise list`, `mortise doctor` and `mortise://plugins` show it. `plugins/catalog/plugin-statuses.ts` fills it;
 * its schema is in `packages/plugin/src/contract/builtin-results.ts`.
 */
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
  /** What a mounted server tells models of itself. */
  instructions?: string;
  /** Errors and warnings, each with a code, a place and a next step. */
  problems: PluginProblem[];
  /** How long loading took, in milliseconds. */
  loadMs?: number;
  /** In `mortise://plugins`, for who may operate the server. */
  activity?: PluginActivity;
}

/** What a plugin has done since the server started (docs/spec/access.md#activity). */
export interface PluginActivity {
  /** Calls of tools, reads and prompts that were admitted. */
  readonly calls: number;
  /** Those that ended with an error. */
  readonly errors: number;
  /** Of the time in the plugin, in milliseconds, to 5 %; absent without calls. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** How often its process, or the connection to it, ended without being asked to. The next call starts it again. */
  readonly crashes: number;
  /** Resident, of its process and what that has started; absent where it has none now. */
  readonly memoryBytes?: number;
}

/** What runs a plugin now. */
export interface RunningPlugin {
  /** The path of the plugin. */
  readonly path: string;
  readonly processId?: number | undefined;
  readonly crashes: number;
}
