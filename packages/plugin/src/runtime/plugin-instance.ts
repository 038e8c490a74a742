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

/** A tool as data: what a list shows of it. All of it is JSON. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /** The tool's own outputSchema, which is not of an object, is that of the member `result`. */
  wrapsOutput?: true;
  /** A mounted server of 2025-11-25 runs it only as a task. */
  callsAsTask?: true;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: JsonObject;
  redaction?: 'values-only';
  timeoutMs?: number;
  /** Absent means true. */
  listed?: false;
  /** Absent means false. */
  needsTask?: true;
  /** A Standard Schema judges the arguments, in the plugin's process. Absent means false. */
  checksArguments?: true;
  /** What each value of the parameter `action` takes. */
  actions?: Readonly<Record<string, ToolAction>>;
  /** `class:Greeting`, `registerTool`: where it came from, for messages. */
  origin: string;
  /** Where the call that defined it is, for messages. */
  definedAt?: CodePlace;
}

export interface ResourceDefinition {
  /** Exactly one of uri and uriTemplate. */
  uri?: string;
  uriTemplate?: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** In bytes; of a resource with a `uri`. */
  size?: number;
  annotations?: BlockAnnotations;
  icons?: Icon[];
  _meta?: JsonObject;
  /** Template variables that can be completed. */
  completes: string[];
  /** The template lists its resources. */
  lists?: true;
  /** The plugin wants to know whether clients are subscribed to it. */
  watches?: true;
}

export interface PromptDefinition {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: JsonObject;
  arguments: { name: string; title?: string; description?: string; required?: boolean }[];
  /** Arguments that can be completed. */
  completes: string[];
}

/** Everything that a plugin offers, as data, and what is wrong with it. */
export interface PluginDefinition {
  tools: ToolDefinition[];
  resources: ResourceDefinition[];
  prompts: PromptDefinition[];
  problems: PluginProblem[];
  /** What it asked for of its settings; absent where it asked for nothing. */
  settings?: SettingsRequest;
  /** What a plugin or mounted server tells models of itself. */
  instructions?: string;
}

/** Levels of MCP that a plugin's logger does not have. */
export type McpLevel = 'notice' | 'critical' | 'alert' | 'emergency';

/** A line of a plugin's logger. `scope` is the class, where there is one. */
export interface PluginLogEntry {
  level: LogLevel;
  /** The level of MCP that a mounted server gave it, where `level` is coarser. */
  mcpLevel?: McpLevel;
  message: string;
  fields?: JsonObject;
  scope?: string;
}

/**
 * What a running call reaches the outside by. Everything that crosses it is data, so that the plugin may
 * just as well run in a process of its own.
 */
export interface CallChannel {
  /** Set while the call waits for the plugin's process to start. */
  isStarting?: boolean;
  /** Fires when the call is ended from outside. May be made when it is first read. */
  readonly signal: AbortSignal;
  /** Where there is one: hears the same as `signal`, and costs less. */
  onAbort?(listener: () => void): void;
  readonly clientCapabilities: ClientCapabilities;
  /** Where there is one: the same object for all calls of one client. It stays in the server's process. */
  readonly client?: object | undefined;
  /** Who calls; default {@link UNKNOWN_CALLER}. */
  readonly caller?: CallerInfo | undefined;
  /** `_meta` of the client's request, for a mounted server. It stays in the server's process. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the version that `inputMode` is of. */
  readonly protocolVersion?: string | undefined;
  /** False where no one listens to progress. */
  readonly wantsProgress?: boolean;
  /** As the tool reported it; the host orders and thins it out. */
  progress(report: ProgressReport): void;
  log(entry: PluginLogEntry): void;
  /**
   * `ask`: questions go out through requestInput while the call waits (protocol 2025-11-25).
   * `retry`: a question without an answer in `answers` ends the call as input_required (2026-07-28). When such a call becomes
   * a task, its mode changes to `ask`: read it again for each question.
   */
  readonly inputMode: 'ask' | 'retry';
  /** Raw answers by key, as the client gave them: untrusted. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Mode `retry`: what effects of the rounds before came to. */
  readonly onceResults?: OnceResults | undefined;
  /** Where the mode can change: calls the listener when it has changed, or immediately if it has already. */
  readonly onTask?: ((listener: () => void) => void) | undefined;
  /** Only in mode `ask`: the raw answers by key. Rejects when the client refuses or is gone. */
  requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>>;
  /** Only in mode `ask`: the page that the question with this `elicitationId` asked the user to open is done. */
  completeElicitation?(elicitationId: string): void;
  /** Only in mode `ask`: the client learns of the page in another way than by a question. */
  expectElicitation?(elicitationId: string): void;
}

/** What a plugin needs of the host while no call is running. */
export interface PluginHost {
  /** What runs the plugin. */
  readonly server: ServerInfo;
  /** The plugin's name: its file's or folder's, without extension. */
  readonly pluginName: string;
  /** Absolute. */
  readonly pluginsDir: string;
  /** What `getConfig` reads: the plugin's own section and `Plugins.Config`, as they are in the configuration. */
  readonly config: JsonObject;
  /** The absolute path of the plugin's data folder, which need not exist. */
  readonly dataDir: string;
  /** The settings of the plugin, from `Plugins.Settings`. */
  ownSettings(request: SettingsRequest): Promise<SettingsAnswer>;
  log(entry: PluginLogEntry): void;
  readonly processes: ProcessTracker;
  reloadPlugins(): Promise<void>;
  resourceUpdated(uri: string): void;
  /** The templates of the plugin list other resources now. */
  resourceListChanged(): void;
  /** The plugin registered or removed something after it was loaded. */
  definitionChanged(definition: PluginDefinition): void;
}

/** What a plugin can be asked to run for a caller. All of it is data. */
export type PluginWork =
  /** `name` is the tool's own; without `args` the client sent none. */
  | { readonly do: 'call'; readonly name: string; readonly args?: JsonObject | undefined }
  /** `key` is the registered uri or uriTemplate. */
  | { readonly do: 'read'; readonly key: string; readonly uri: string; readonly variables: Record<string, string> }
  /** The resources of the template `key`, which lists them; of the channel, the signal and the log alone count. */
  | { readonly do: 'list'; readonly key: string }
  | { readonly do: 'prompt'; readonly name: string; readonly args: Record<string, string> }
  /** Values that complete a value; none where nothing completes it. Of the channel, the signal alone counts. */
  | ({ readonly do: 'complete' } & CompletionRequest);

/** How each kind of work ends. */
export interface PluginResults {
  call: Outcome;
  read: ReadOutcome;
  list: ListOutcome;
  prompt: PromptOutcome;
  complete: Completion | ErrorOutcome | InputRequiredOutcome;
}

export type WorkOf<K extends keyof PluginResults> = Extract<PluginWork, { readonly do: K }>;

/** What runs each kind of work. */
export type WorkHandlers = {
  [K in keyof PluginResults]: (work: WorkOf<K>, channel: CallChannel) => Promise<PluginResults[K]>;
};

/** A loaded plugin. In the server or in a process of its own: the same interface (architecture: runners). */
export interface PluginInstance {
  /** As of now; replaced, never mutated. */
  readonly definition: PluginDefinition;
  /** Never rejects: whatever the plugin's code does becomes the result. */
  run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]>;
  /** The first client has subscribed to a resource. A resource that is watched already stays watched. */
  watchResource?(resource: WatchedResource): void;
  /** The last client has left. */
  unwatchResource?(uri: string): void;
  /** What it was asked for by `watchResource`. */
  readonly watched?: Iterable<WatchedResource>;
  /** Runs the plugin's own clean-up. Never rejects. */
  dispose(): Promise<void>;
}

/** A resource that clients are subscribed to. */
export interface WatchedResource {
  /** The registered uri or uriTemplate. */
  readonly key: string;
  readonly uri: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface Completion {
  values: string[];
  /** How many there are, where these are not all. */
  total?: number;
  /** There are more than these, however many. */
  hasMore?: boolean;
}

/** A request to complete an argument of a prompt or a variable of a resource template. */
export interface CompletionRequest {
  readonly ref: CompletionRef;
  readonly argument: string;
  /** What was typed so far. */
  readonly value: string;
  /** The other arguments, as far as they are known. */
  readonly knownArguments: Record<string, string>;
}

export type CompletionRef = { type: 'prompt'; name: string } | { type: 'resource'; uriTemplate: string };
