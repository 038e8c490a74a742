import type { CancelSignal } from '@mortise/mcp/util';
import type {
  BlockAnnotations,
  CallerInfo,
  ClientCapabilities,
  ContentBlock,
  Icon,
  JsonObject,
  JsonSchema,
  JsonValue,
  ProgressReport,
  PromptMessage,
  ResourceContents,
  ToolAnnotations,
} from '@mortise/plugin';
import type {
  CompletionRequest,
  InputRequest,
  InputRequiredOutcome,
  OnceResults,
  PluginProblem,
} from '@mortise/plugin/runtime';
import type { LogLine } from '../log/log.js';
import type { Settings } from '../settings/settings.js';
import type { ClientRoots } from './client-roots.js';
import type { HttpRefusal } from './http-refusal.js';
import type { PluginStatus } from './plugin-status.js';
import type { Principal, Scope } from './principal.js';
import type { RequestMetrics, ServerCounts } from './server-metrics.js';

/** Who calls, and how to reach them while the call runs. Given by MCP, by the CLI, by tests. */
export interface Caller {
  /** Fires when the caller cancels. */
  readonly signal: CancelSignal;
  readonly clientCapabilities: ClientCapabilities;
  /** If any: the same object for all calls of one client. */
  readonly client?: object;
  /** `_meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Who calls; undefined is the local user (docs/spec/access.md#principals). */
  readonly principal?: Principal | undefined;
  /** What tools can know about the caller. */
  readonly info?: CallerInfo;
  /** `ask` for 2025-11-25 and the CLI, `retry` for 2026-07-28; see CallChannel. */
  readonly inputMode: 'ask' | 'retry';
  /** Mode `retry`: the call is a task now, in which questions wait for their answers. */
  readonly isTask?: boolean;
  /** If the call can become a task: calls the listener when it does, or immediately if it has already. */
  readonly onTask?: ((listener: () => void) => void) | undefined;
  /** The MCP version of the client, if any. */
  readonly protocolVersion?: string | undefined;
  /** Mode `retry`: the raw answers so far, by key. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Mode `retry`: what effects of the rounds before came to. */
  readonly onceResults?: OnceResults | undefined;
  /**
   * Mode `ask`, and in a task.
   * @param signal fires when no one waits for the answers any longer
   * @throws ClientErrorAnswer for an error in place of an answer
   */
  requestInput?(requests: Record<string, InputRequest>, signal: CancelSignal): Promise<Record<string, unknown>>;
  /** Mode `ask`: the user is done with the page of a question. */
  completeElicitation?(elicitationId: string): void;
  /** The call is refused, because the principal has no such scope. */
  lacksScope?(scope: Scope): void;
  /** Absent when the client sent no token. Called with increasing values, redacted, at most 20 in any second. */
  progress?(report: ProgressReport): void;
  /** Log lines of this call, redacted. The receiver knows the client's level. */
  log?(line: LogLine & { logger: string }): void;
}

/** An MCP `tools/call` result: redacted, within the size limits, ready to be sent. */
export interface CallResult {
  content: ContentBlock[];
  /** An object, unless the caller takes any value (2026-07-28). */
  structuredContent?: JsonValue;
  isError?: true;
  _meta?: JsonObject;
}

/** A question that must be answered first, or a client that cannot answer it (2026-07-28). */
export type IncompleteAnswer = InputRequiredOutcome | { kind: 'missing_capability'; required: JsonObject };

export type CallAnswer =
  | { kind: 'result'; result: CallResult }
  /**
   * `refusal`: why the tool of that name that a plugin defines is not offered; `notLoaded`: which plugins did not load, in
   * sentences. Both are redacted.
   */
  | { kind: 'unknown_tool'; suggestions: string[]; refusal?: PluginProblem; notLoaded?: string }
  /** The caller's own cancel: MCP sends no response, the command line shows the result. */
  | { kind: 'cancelled'; result: CallResult }
  | RefusedAnswer
  | IncompleteAnswer;

/** Becomes a JSON-RPC error with this message (redacted). */
export interface RefusedAnswer {
  kind: 'error';
  code: number;
  message: string;
  data?: JsonObject;
}

export type Answer<T> = ({ kind: 'result' } & T) | RefusedAnswer | IncompleteAnswer;

/** A request that was answered by the pipeline, or before it: a refusal or an unknown name too. */
export interface ObservedCall {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';
  /** As the caller wrote it: the tool's or prompt's name, or the URI. */
  readonly target: string;
  readonly args: unknown;
  readonly caller: Caller;
}

export type ObservedAnswer = CallAnswer | { readonly kind: 'result' };

/** What MCP wants of the schema of a tool's arguments. */
export type ObjectSchema = JsonSchema & { type: 'object' };

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: ObjectSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: JsonObject;
}

export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** In bytes. */
  size?: number;
  annotations?: BlockAnnotations;
  icons?: Icon[];
  _meta?: JsonObject;
}

export interface ListedTemplate extends Omit<ListedResource, 'uri' | 'size'> {
  uriTemplate: string;
}

export interface ListedPrompt {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: JsonObject;
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
}

/** What can be listed, as MCP lists it: redacted, in a stable order. Replaced when it changes, never mutated. */
export interface McpLists {
  readonly tools: readonly ListedTool[];
  /** For clients of 2026-07-28, which take outputSchemas that are not of an object; the same list if there are none. */
  readonly toolsOfAnyOutput: readonly ListedTool[];
  readonly resources: readonly ListedResource[];
  readonly templates: readonly ListedTemplate[];
  readonly prompts: readonly ListedPrompt[];
}

/** Whether a principal may hear of something. */
export type Audience = (principal: Principal | undefined) => boolean;

export interface HostEvents {
  /** The list did change. */
  listChanged: [what: 'tools' | 'resources' | 'prompts', isFor: Audience];
  resourceUpdated: [uri: string, isFor: Audience];
  /** A log line that belongs to no call, redacted. */
  log: [line: LogLine & { logger: string }, isFor: Audience];
  /** The settings were read again. */
  settingsReloaded: [settings: Settings];
}

/**
 * The whole server behind its front ends (MCP over stdio and HTTP, the command line): everything that leaves
 * through it is redacted already.
 */
export interface ServerApi {
  readonly settings: Settings;
  readonly version: string;
  /** Where requests are measured, if anywhere. */
  readonly metrics?: RequestMetrics | undefined;
  counts(): ServerCounts;
  /** A request over HTTP was refused: the audit says so. */
  refused(refusal: HttpRefusal): void;
  /** A call was refused before it got here. */
  callRefused(call: ObservedCall, answer: ObservedAnswer): void;
  /** Resolves when each plugin has loaded, failed, or had its time. Never rejects. */
  ready(): Promise<void>;
  /** Resolves when lists can be answered: at ready(), or after `Plugins.StartWaitMs` with what has loaded. Never rejects. */
  listed(): Promise<void>;
  /**
   * The client has left: resolves when what has begun to load has loaded, at most after `withinMs`. Lists that wait are
   * answered then. Never rejects.
   */
  finishLoading(withinMs: number): Promise<void>;
  /** The lists of what is loaded now; await listed() or ready() first. */
  mcpLists(principal?: Principal): McpLists;
  /** What mounted servers tell models of themselves, as far as it is known: of this start, else of an earlier one. Redacted; '' if nothing. */
  instructions(principal?: Principal): string;
  /**
   * The resources that templates list, asked of their plugins now; redacted. undefined if no template lists any: then mcpLists() has
   * all. Never rejects.
   * @param isLaterPage the client continues a list: what was listed last is good enough
   */
  templateResources(caller: Caller, isLaterPage: boolean): Promise<readonly ListedResource[]> | undefined;
  plugins(principal?: Principal): readonly PluginStatus[];
  /** The schema of the arguments of a tool that is loaded now, by any spelling of its name. */
  inputSchemaOf(name: string, principal?: Principal): JsonSchema | undefined;
  callTool(name: string, args: unknown, caller: Caller): Promise<CallAnswer>;
  readResource(uri: string, caller: Caller): Promise<Answer<{ contents: ResourceContents[]; meta?: JsonObject }>>;
  /**
   * A client subscribes to a resource, until `ended` fires: the plugin that provides it is asked to report changes.
   * @returns whether there is one, or may be one once its plugin has loaded; never rejects
   */
  watchResource(uri: string, caller: Caller, ended: CancelSignal): Promise<boolean>;
  /** The roots of the client that can be asked outside of a call. */
  readonly roots: ClientRoots;
  getPrompt(
    name: string,
    args: Record<string, string>,
    caller: Caller,
  ): Promise<Answer<{ description?: string; messages: PromptMessage[]; meta?: JsonObject }>>;
  /** At most 100 values, with the number of all. An unknown prompt or template is an error. */
  complete(
    request: CompletionRequest,
    caller: Caller,
  ): Promise<Answer<{ values: string[]; total: number; hasMore: boolean }>>;
  /** A copy of the value without secrets: for what front ends say themselves of what came in. */
  redact<T>(value: T): T;
  on<E extends keyof HostEvents>(event: E, listener: (...args: HostEvents[E]) => void): () => void;
  /** Ends running calls, disposes of plugins. */
  close(): Promise<void>;
}
