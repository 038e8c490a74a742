import type { CallerInfo, ClientCapabilities, ErrorResult, JsonObject, ProgressReport } from '@mortise/plugin';
import type {
  InputRequest,
  OnceResults,
  PluginDefinition,
  PluginLogEntry,
  PluginProblem,
  PluginResults,
  PluginWork,
  SettingsAnswer,
  SettingsRequest,
  WatchedResource,
} from '@mortise/plugin/runtime';

import type { PluginLimits } from '../../settings/plugin-limits.js';

/** Which plugin a process runs, and with what. */
export interface LoadRequest {
  entry: string;
  root?: string;
  cacheDir?: string;
  pluginName: string;
  pluginsDir: string;
  config: JsonObject;
  dataDir: string;
  /** Its environment; to the process itself go the variables that it was not started with. */
  environment: Readonly<Record<string, string>>;
  /** Of the marks that `notSecret()` writes. */
  notSecretKey: string;
  /** Of what the plugin can send. */
  limits: PluginLimits;
}

/** What a call brings with it; the signal and the rest of the port are messages of their own. */
export interface CallMeta {
  caller?: CallerInfo | undefined;
  protocolVersion?: string | undefined;
  inputMode: 'ask' | 'retry';
  /** Absent when there are none, as are `answers`. */
  clientCapabilities?: ClientCapabilities;
  answers?: Readonly<Record<string, unknown>>;
  onceResults?: OnceResults | undefined;
}

/** Work for the plugin: each is answered by one `done` with the same id. */
export type WorkerRequest =
  /** `known` is what the plugin offered before; it stays in the server. */
  | { do: 'load'; request: LoadRequest; known?: PluginDefinition }
  /** Load, tell what there is, clean up: the process may be asked of the next plugin then. */
  | { do: 'discover'; request: LoadRequest }
  | { do: 'run'; work: PluginWork; meta: CallMeta }
  | ({ do: 'watch' } & WatchedResource)
  | { do: 'unwatch'; uri: string }
  | { do: 'dispose' }
  | { do: 'ping' };

/** From the server to the process. */
export type ToWorker =
  | { id: number; work: WorkerRequest }
  /** The signal of call `id` fired. */
  | { abort: number }
  /** Call `task` has become a task: its questions wait for their answers. */
  | { task: number }
  | { answered: number; answers: Record<string, unknown> }
  | { answered: number; rejected: string }
  /** The question was not put to the client. */
  | { answered: number; refused: ErrorResult[] }
  /** The answer to `settings` of that number. */
  | { given: number; answer: SettingsAnswer };

export type Loaded = { definition: PluginDefinition } | { problem: PluginProblem };

/** What each kind of work comes to. */
export interface WorkerResponse {
  load: Loaded;
  discover: Loaded;
  run: PluginResults[keyof PluginResults];
  watch: null;
  unwatch: null;
  dispose: null;
  ping: null;
}

/** From the process to the server. */
export type FromWorker =
  | { done: number; value: WorkerResponse[keyof WorkerResponse] }
  | { progress: number; report: ProgressReport }
  /** `id` is the call's; absent outside of calls. */
  | { log: PluginLogEntry; id?: number }
  | { ask: number; id: number; requests: Record<string, InputRequest> }
  /** The user is done with a page that call `id` asked for. */
  | { elicited: string; id: number }
  | { definition: PluginDefinition }
  | { settings: number; request: SettingsRequest }
  | { resourceUpdated: string }
  | { resourceListChanged: true }
  | { reload: true };
