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
import type { SharedState } from '../state/shared-state.js';
import type { ClientRoots } from './client-roots.js';
import type { HttpRefusal } from './http-refusal.js';
import type { PluginStatus } from './plugin-status.js';
import type { Principal, Scope } from './principal.js';
import type { RequestMetrics, ServerCounts } from './server-metrics.js';

/** The sender of a call, and the means to reach them while the call runs. */
export interface Caller {
  /** Fires when the caller cancels. */
  readonly signal: CancelSignal;
  readonly clientCapabilities: ClientCapabilities;
  /** An object that identifies the client; the same for all calls of one client. */
  readonly client?: object;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The authenticated sender; undefined for the local user (docs/spec/access.md#principals). */
  readonly principal?: Principal | undefined;
  /** The caller as plugin code sees it. */
  readonly info?: CallerInfo;
  /** `ask` for 2025-11-25 and the CLI, `retry` for 2026-07-28; see CallChannel. */
  readonly inputMode: 'ask' | 'retry';
  /** Mode `retry`: the call has become a task, so its questions wait for answers instead of ending the call. */
  readonly isTask?: boolean;
  /**
   * Calls the listener when the call becomes a task, or immediately if it already is. Absent if it cannot become one.
   */
  readonly onTask?: ((listener: () => void) => void) | undefined;
  /** The client's MCP version; undefined for the command line. */
  readonly protocolVersion?: string | undefined;
  /** Mode `retry`: the unvalidated answers of all rounds so far, by question key. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Mode `retry`: results of effects that ran in earlier rounds and must not run again. */
  readonly onceResults?: OnceResults | undefined;
  /**
   * Sends questions to the client and resolves to the unvalidated answers. Present in mode `ask` and in tasks.
   * @param signal fires when the answers are no longer needed
   * @throws ClientErrorAnswer if the client answers with an error
   */
  requestInput?(requests: Record<string, InputRequest>, signal: CancelSignal): Promise<Record<string, unknown>>;
  /** Mode `ask`: tells the client that the user has finished the page of a URL question. */
  completeElicitation?(elicitationId: string): void;
  /** Notes that the call is refused because the principal lacks the scope. */
  lacksScope?(scope: Scope): void;
  /** Absent if the client sent no progress token. Called with increasing, redacted values, at most 20 per second. */
  progress?(report: ProgressReport): void;
  /** Receives redacted log lines of this call, and drops those below the client's level. */
  log?(line: LogLine & { logger: string }): void;
}

/** An MCP `tools/call` result: redacted, within the size limits, ready to be sent. */
export interface CallResult {
  content: ContentBlock[];
  /** An object; any JSON value if the client's version allows it (2026-07-28). */
  structuredContent?: JsonValue;
  isError?: true;
  _meta?: JsonObject;
}

/** The call needs answers to questions, or the client lacks the capability to answer them (2026-07-28). */
export type IncompleteAnswer = InputRequiredOutcome | { kind: 'missing_capability'; required: JsonObject };

export type CallAnswer =
  | { kind: 'result'; result: CallResult }
  /**
   * No tool has this name. `refusal` explains why a plugin's tool with this name is not offered; `notLoaded` says in
   * sentences which plugins did not load. Both are redacted. `front/mcp/tool-handlers.ts` and `cli/call/show-answer.ts`
   * write the messages.
   */
  | { kind: 'unknown_tool'; suggestions: string[]; refusal?: PluginProblem; notLoaded?: string }
  /** The caller cancelled. MCP sends no response; the command line shows the result. */
  | { kind: 'cancelled'; result: CallResult }
  | RefusedAnswer
  | IncompleteAnswer;

/** A JSON-RPC error. Its message is redacted. */
export interface RefusedAnswer {
  kind: 'error';
  code: number;
  message: string;
  data?: JsonObject;
}

export type Answer<T> = ({ kind: 'result' } & T) | RefusedAnswer | IncompleteAnswer;

/** A request that has been answered, including refused requests and unknown names. */
export interface ObservedCall {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';
  /** The tool's or prompt's name, or the URI, as the caller wrote it. */
  readonly target: string;
  readonly args: unknown;
  readonly caller: Caller;
}

export type ObservedAnswer = CallAnswer | { readonly kind: 'result' };

/** MCP requires that a tool's inputSchema has the type `object`. */
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

/** The results of MCP's list requests: redacted, in a stable order. Replaced after a change, never mutated. */
export interface McpLists {
  readonly tools: readonly ListedTool[];
  /**
   * The tools for clients of 2026-07-28, with outputSchemas that are not objects. Equals `tools` if there are no such
   * schemas.
   */
  readonly toolsOfAnyOutput: readonly ListedTool[];
  readonly resources: readonly ListedResource[];
  readonly templates: readonly ListedTemplate[];
  readonly prompts: readonly ListedPrompt[];
}

/** True if the principal may be told of an event. */
export type Audience = (principal: Principal | undefined) => boolean;

export interface ServerEvents {
  listChanged: [list: 'tools' | 'resources' | 'prompts', isFor: Audience];
  resourceUpdated: [uri: string, isFor: Audience];
  /** A log line that belongs to no call, redacted. */
  log: [line: LogLine & { logger: string }, isFor: Audience];
  settingsReloaded: [settings: Settings];
}

/** The server as its front ends (MCP over stdio and HTTP, the command line) see it. All its results are redacted. */
export interface ServerApi {
  readonly settings: Settings;
  readonly version: string;
  /** Measures requests; undefined if metrics are off. */
  readonly metrics?: RequestMetrics | undefined;
  /** The state that replicas share; undefined without `State.Redis`. */
  readonly shared?: SharedState | undefined;
  counts(): ServerCounts;
  /** Writes the refusal of an HTTP request to the audit. */
  refused(refusal: HttpRefusal): void;
  /** Tells the audit and metrics of a call that a front end refused. */
  callRefused(call: ObservedCall, answer: ObservedAnswer): void;
  /** Resolves when each plugin has loaded, failed, or exceeded its time limit. Never rejects. */
  ready(): Promise<void>;
  /** Resolves when list requests can be answered: at ready(), or after `Plugins.StartWaitMs`. Never rejects. */
  listed(): Promise<void>;
  /**
   * Call this after the client has closed its input; it can still read answers. Waits until the plugins have loaded, at
   * most `withinMs`; then pending list requests are answered. Does not wait if loading has not begun. Never rejects.
   */
  finishLoading(withinMs: number): Promise<void>;
  /** The lists of all plugins that are loaded now; await listed() or ready() first. */
  mcpLists(principal?: Principal): McpLists;
  /**
   * Returns the redacted instructions of mounted servers for models; '' if there are none. For a server that has not
   * loaded yet, these are its instructions at an earlier start.
   */
  instructions(principal?: Principal): string;
  /**
   * Asks plugins for the resources that match their templates; redacted. Never rejects.
   * @param isLaterPage the client continues a list, so the previous answers of the plugins are used again
   * @returns undefined if no template lists resources, in which case mcpLists() has all of them
   */
  templateResources(caller: Caller, isLaterPage: boolean): Promise<readonly ListedResource[]> | undefined;
  plugins(principal?: Principal): readonly PluginStatus[];
  /** The inputSchema of a loaded tool. @param name the wire name or the author's name */
  inputSchemaOf(name: string, principal?: Principal): JsonSchema | undefined;
  callTool(name: string, args: unknown, caller: Caller): Promise<CallAnswer>;
  readResource(uri: string, caller: Caller): Promise<Answer<{ contents: ResourceContents[]; meta?: JsonObject }>>;
  /**
   * Asks the plugin that provides the resource to report changes, until `ended` fires. Never rejects.
   * @returns false if no plugin, loaded or not, can have the resource
   */
  watchResource(uri: string, caller: Caller, ended: CancelSignal): Promise<boolean>;
  /** Returns which principals see a resource or template with the URI. */
  resourceAudience(uri: string): Audience;
  readonly roots: ClientRoots;
  getPrompt(
    name: string,
    args: Record<string, string>,
    caller: Caller,
  ): Promise<Answer<{ description?: string; messages: PromptMessage[]; meta?: JsonObject }>>;
  /** Returns at most 100 values and their total number. An unknown prompt or template is an error. */
  complete(
    request: CompletionRequest,
    caller: Caller,
  ): Promise<Answer<{ values: string[]; total: number; hasMore: boolean }>>;
  /** Returns a copy without secrets. Front ends use it for messages that quote a request. */
  redact<T>(value: T): T;
  /** @returns a function that removes the listener */
  on<E extends keyof ServerEvents>(event: E, listener: (...args: ServerEvents[E]) => void): () => void;
  /** Resolves when no call is running, including calls that became tasks. */
  idle(): Promise<void>;
  /** Ends running calls and disposes of the plugins. */
  close(): Promise<void>;
}
