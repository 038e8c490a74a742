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

/** The plugin that a process runs, and its configuration. */
export interface LoadRequest {
  entry: string;
  root?: string;
  cacheDir?: string;
  pluginName: string;
  pluginsDir: string;
  config: JsonObject;
  dataDir: string;
  /** The environment of the plugin. The message leaves out the variables with which the process was started. */
  environment: Readonly<Record<string, string>>;
  /** The key of the marks that `notSecret()` writes. */
  notSecretKey: string;
  /** The options of Node.js that confine the process. */
  permissions?: readonly string[];
  /** The limits of what the plugin can send. */
  limits: PluginLimits;
}

/** The data of a call's channel that is sent with the call. Everything else that the channel does needs messages. */
export interface CallMeta {
  caller?: CallerInfo | undefined;
  protocolVersion?: string | undefined;
  inputMode: 'ask' | 'retry';
  /** Left out if empty, as are `answers`. */
  clientCapabilities?: ClientCapabilities;
  answers?: Readonly<Record<string, unknown>>;
  onceResults?: OnceResults | undefined;
}

/** A request to the process. Each is answered by one `done` with the same id. */
export type WorkerRequest =
  /** `known` is the last definition of the plugin, which is not sent to the process. */
  | { do: 'load'; request: LoadRequest; known?: PluginDefinition }
  /** Loads the plugin, reports its definition, and cleans up. */
  | { do: 'discover'; request: LoadRequest }
  | { do: 'run'; work: PluginWork; meta: CallMeta }
  | ({ do: 'watch' } & WatchedResource)
  | { do: 'unwatch'; uri: string }
  | { do: 'dispose' }
  | { do: 'ping' };

/** A message from the server to the process. */
export type ToWorker =
  | { id: number; work: WorkerRequest }
  /** The call with this id was aborted. */
  | { abort: number }
  /** The call with this id has become a task, so its questions wait for their answers. */
  | { task: number }
  | { answered: number; answers: Record<string, unknown> }
  | { answered: number; rejected: string }
  /** The question was refused before the client was asked. */
  | { answered: number; refused: ErrorResult[] }
  /** The answer to the request for settings with this number. */
  | { given: number; answer: SettingsAnswer };

export type Loaded = { definition: PluginDefinition } | { problem: PluginProblem };

/** The response to each kind of request. */
export interface WorkerResponse {
  load: Loaded;
  discover: Loaded;
  run: PluginResults[keyof PluginResults];
  watch: null;
  unwatch: null;
  dispose: null;
  ping: null;
}

/** A message from the process to the server. */
export type FromWorker =
  | { done: number; value: WorkerResponse[keyof WorkerResponse] }
  | { progress: number; report: ProgressReport }
  /** `id` is that of the call. It is absent outside of calls. */
  | { log: PluginLogEntry; id?: number }
  | { ask: number; id: number; requests: Record<string, InputRequest> }
  /** The user has finished the page `elicited` that call `id` asked for. */
  | { elicited: string; id: number }
  | { definition: PluginDefinition }
  | { settings: number; request: SettingsRequest }
  | { resourceUpdated: string }
  | { resourceListChanged: true }
  | { reload: true };
