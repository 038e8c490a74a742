import type { CallerInfo, ClientCapabilities } from '../call-context.js';
import type { BlockAnnotations } from '../content.js';
import type { Icon } from '../icon.js';
import type { JsonObject } from '../json.js';
import type { LogLevel } from '../logger.js';
import type { CodePlace } from '../own-code.js';
import type { ProgressReport } from '../progress-reporter.js';
import type { ProcessTracker, ServerInfo } from '../register.js';
import type { JsonSchema } from '../schema.js';
import type { ToolAction, ToolAnnotations } from '../tool.js';
import type {
  ErrorOutcome,
  InputRequest,
  InputRequiredOutcome,
  ListOutcome,
  OnceResults,
  Outcome,
  PromptOutcome,
  ReadOutcome,
} from './outcome.js';
import type { SettingsAnswer, SettingsRequest } from './plugin-settings.js';
import type { PluginProblem } from './problem.js';

/** The definition of a tool. It contains only JSON values. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /**
   * True if the tool returns something other than an object. `outputSchema` then describes an object whose member
   * `result` has the value.
   */
  wrapsOutput?: true;
  /** True if a mounted server of protocol 2025-11-25 runs the tool only as a task. */
  callsAsTask?: true;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: JsonObject;
  redaction?: 'values-only';
  timeoutMs?: number;
  /** Absent means true. */
  listed?: false;
  /** True if clients must call the tool as a task. */
  needsTask?: true;
  /** True if a Standard Schema validates the arguments in the plugin's process. Absent means false. */
  checksArguments?: true;
  actions?: Readonly<Record<string, ToolAction>>;
  /** The export or method that the tool comes from (`class:Greeting`, `registerTool`), for messages. */
  origin: string;
  /** The place of the call that defined the tool, for messages. */
  definedAt?: CodePlace;
}

export interface ResourceDefinition {
  /** A resource has either uri or uriTemplate. */
  uri?: string;
  uriTemplate?: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** The size in bytes. Only for a resource with a `uri`. */
  size?: number;
  annotations?: BlockAnnotations;
  icons?: Icon[];
  _meta?: JsonObject;
  completes: string[];
  /** True if the template lists its resources. */
  lists?: true;
  /** True if the plugin has to know whether clients are subscribed. */
  watches?: true;
}

export interface PromptDefinition {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: JsonObject;
  arguments: { name: string; title?: string; description?: string; required?: boolean }[];
  completes: string[];
}

export interface PluginDefinition {
  tools: ToolDefinition[];
  resources: ResourceDefinition[];
  prompts: PromptDefinition[];
  problems: PluginProblem[];
  settings?: SettingsRequest;
  /** Tells models what they should know about the plugin or mounted server. */
  instructions?: string;
}

/** MCP's log levels that a plugin's logger does not have. */
export type McpLevel = 'notice' | 'critical' | 'alert' | 'emergency';

/** A line of a plugin's logger. `scope` is the name of the class that wrote it, if there is one. */
export interface PluginLogEntry {
  level: LogLevel;
  /** The MCP level from a mounted server, if `level` is coarser. */
  mcpLevel?: McpLevel;
  message: string;
  fields?: JsonObject;
  scope?: string;
}

/**
 * The connection of a running call to the outside. It passes only data, so that the plugin can also run in a process of
 * its own.
 */
export interface CallChannel {
  /** True while the call waits for the plugin's process to start. */
  isStarting?: boolean;
  /** Fires when the call is cancelled or has reached its time limit. It may be created on first access. */
  readonly signal: AbortSignal;
  /** Registers a listener for the same event as `signal`, at a lower cost. */
  onAbort?(listener: () => void): void;
  readonly clientCapabilities: ClientCapabilities;
  /** The same object for all calls of one client, if the client is known. It stays in the server's process. */
  readonly client?: object | undefined;
  /** Default: {@link UNKNOWN_CALLER}. */
  readonly caller?: CallerInfo | undefined;
  /** `_meta` of the client's request, for mounted servers. It stays in the server's process. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the newest version that uses this `inputMode`. */
  readonly protocolVersion?: string | undefined;
  /** False if no one listens to progress. */
  readonly wantsProgress?: boolean;
  /** Passes on a report as the tool made it. The server sorts and limits reports. */
  progress(report: ProgressReport): void;
  log(entry: PluginLogEntry): void;
  /**
   * `ask`: questions are sent with requestInput while the call waits (protocol 2025-11-25). `retry`: a question without
   * an answer in `answers` ends the call as input_required (2026-07-28). If such a call becomes a task, its mode
   * changes to `ask`, so read it again for each question.
   */
  readonly inputMode: 'ask' | 'retry';
  /** The client's raw answers by key. They are not trusted. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Mode `retry`: the results of effects in earlier rounds. */
  readonly onceResults?: OnceResults | undefined;
  /**
   * Calls the listener when the mode has changed, or immediately if it has already changed. Absent if the mode cannot
   * change.
   */
  readonly onTask?: ((listener: () => void) => void) | undefined;
  /** Only in mode `ask`: resolves to the raw answers by key. Rejects if the client refuses or disconnects. */
  requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>>;
  /**
   * Only in mode `ask`: tells the client that the user has finished with the page of the question with this
   * `elicitationId`.
   */
  completeElicitation?(elicitationId: string): void;
  /** Only in mode `ask`: announces a page that no question of this call has mentioned. */
  expectElicitation?(elicitationId: string): void;
}

/** The services that the server provides to a plugin while no call is running. */
export interface PluginHost {
  readonly server: ServerInfo;
  /** The name of the plugin's file or folder, without extension. */
  readonly pluginName: string;
  /** An absolute path. */
  readonly pluginsDir: string;
  /** The settings for `getConfig`: the plugin's own section and `Plugins.Config`, as they are in the configuration. */
  readonly config: JsonObject;
  /** The absolute path of the plugin's data folder, which may not exist yet. */
  readonly dataDir: string;
  ownSettings(request: SettingsRequest): Promise<SettingsAnswer>;
  log(entry: PluginLogEntry): void;
  readonly processes: ProcessTracker;
  reloadPlugins(): Promise<void>;
  resourceUpdated(uri: string): void;
  resourceListChanged(): void;
  /** Reports that the plugin has registered or removed something after it was loaded. */
  definitionChanged(definition: PluginDefinition): void;
}

/** The kinds of work that a plugin runs for a caller. All of it is data. */
export type PluginWork =
  /** Calls a tool. `name` is the tool's own name. `args` is absent if the client sent none. */
  | { readonly do: 'call'; readonly name: string; readonly args?: JsonObject | undefined }
  /** Reads a resource. `key` is the registered uri or uriTemplate. */
  | { readonly do: 'read'; readonly key: string; readonly uri: string; readonly variables: Record<string, string> }
  /** Lists the resources of the template `key`. Uses only the signal and the log of the channel. */
  | { readonly do: 'list'; readonly key: string }
  | { readonly do: 'prompt'; readonly name: string; readonly args: Record<string, string> }
  /** Completes a value; the result is empty if there is no completer. Uses only the signal of the channel. */
  | ({ readonly do: 'complete' } & CompletionRequest);

export interface PluginResults {
  call: Outcome;
  read: ReadOutcome;
  list: ListOutcome;
  prompt: PromptOutcome;
  complete: Completion | ErrorOutcome | InputRequiredOutcome;
}

export type WorkOf<K extends keyof PluginResults> = Extract<PluginWork, { readonly do: K }>;

export type WorkHandlers = {
  [K in keyof PluginResults]: (work: WorkOf<K>, channel: CallChannel) => Promise<PluginResults[K]>;
};

/** A loaded plugin. The interface is the same in the server's process and in another process. */
export interface PluginInstance {
  /** The current definition. It is replaced, never mutated. */
  readonly definition: PluginDefinition;
  /** Never rejects: whatever the plugin's code does becomes the result. */
  run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]>;
  /**
   * Tells the plugin that the first client has subscribed to a resource. Does nothing if the resource is already
   * watched.
   */
  watchResource?(resource: WatchedResource): void;
  unwatchResource?(uri: string): void;
  /** The resources for which `watchResource` was called. */
  readonly watched?: Iterable<WatchedResource>;
  /** Runs the plugin's own clean-up. Never rejects. */
  dispose(): Promise<void>;
}

/** A resource to which clients are subscribed. */
export interface WatchedResource {
  readonly key: string;
  readonly uri: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface Completion {
  values: string[];
  /** The number of all possible values, if there are more than `values`. */
  total?: number;
  /** True if there are more values, of which the number may be unknown. */
  hasMore?: boolean;
}

export interface CompletionRequest {
  readonly ref: CompletionRef;
  readonly argument: string;
  readonly value: string;
  /** The arguments that the user has already filled in. */
  readonly knownArguments: Record<string, string>;
}

export type CompletionRef = { type: 'prompt'; name: string } | { type: 'resource'; uriTemplate: string };
