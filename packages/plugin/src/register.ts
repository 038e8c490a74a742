import type { CallContext } from './call-context.js';
import type { BlockAnnotations, ContentBlock, ResourceContents } from './content.js';
import type { DefineTool } from './define-tool.js';
import type { Icon } from './icon.js';
import type { Logger } from './logger.js';
import type { JsonSchema } from './schema.js';
import type { ToolAction, ToolAnnotations, ToolFailure } from './tool.js';

/**
 * A tool for `api.registerTool`. `run` can return any value; docs/spec/plugin-results.md#results describes how it
 * becomes a result.
 */
// biome-ignore lint/suspicious/noExplicitAny: the plugin author chooses the type, to match the schema
export interface RegisteredTool<Input = any> {
  name: string;
  description?: string;
  inputSchema?: JsonSchema;
  title?: string;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  icons?: readonly Icon[];
  /** Members of MCP extensions, such as `ui` of MCP Apps, for hosts. Give keys of your own a prefix. */
  _meta?: Record<string, unknown>;
  /** For a tool whose job is to show code: text that merely looks like a secret is not hidden in its results. */
  redaction?: 'values-only';
  /** The time limit of one call, in milliseconds. Default: the setting `Tools.TimeoutMs`. */
  timeoutMs?: number;
  /** false: `tools/list` omits the tool, but clients can still call it. Default true. */
  listed?: boolean;
  /**
   * true: a call takes so long that only clients that support MCP tasks can call the tool. Others get
   * CAPABILITY_NOT_AVAILABLE (docs/spec/protocol.md#tasks). Default false.
   */
  needsTask?: boolean;
  /**
   * For a tool with a parameter `action`: the parameters of each of its values, for people who fill in a form. Models
   * do not get them, and arguments are not checked against them (docs/spec/plugin-api.md#tool-actions).
   */
  actions?: Readonly<Record<string, ToolAction>>;
  run(input: Input, context: CallContext): unknown;
}

/**
 * The result of reading a resource: text, bytes, or one or several contents. `null` or `notFound()` if there is no such
 * resource.
 */
export type ResourceReadResult =
  | null
  | ToolFailure
  | string
  | Uint8Array
  | { text: string; mimeType?: string }
  | { blob: string | Uint8Array; mimeType?: string }
  | { contents: ResourceContents[] };

/** The second argument of a {@link Completer}. */
export interface CompletionContext {
  /** The other arguments that the user has filled in so far. */
  readonly arguments: Record<string, string>;
  /** Fires when the client cancels the request, or after 5 seconds. */
  readonly signal: AbortSignal;
}

/** Returns the values that can complete the typed value. The client gets the first 100. */
export type Completer = (value: string, context: CompletionContext) => readonly string[] | Promise<readonly string[]>;

interface ResourceCommon {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: readonly Icon[];
  /** The audience, the priority and the date of the last change. */
  annotations?: BlockAnnotations;
  /** Members of MCP extensions, such as `ui` of MCP Apps, for hosts. Give keys of your own a prefix. */
  _meta?: Record<string, unknown>;
  /** Completes variables of the template, by the name of the variable. */
  complete?: Record<string, Completer>;
  /**
   * Runs while at least one client is subscribed to the URI. Watch or poll here, and call `api.resourceUpdated(uri)` at
   * each change. `signal` fires after the last subscriber has left, and when the plugin is unloaded.
   */
  watch?(uri: string, variables: Record<string, string>, context: WatchContext): void | Promise<void>;
}

/** A resource that `list` of a template returns, as `resources/list` shows it. */
export interface ListedResource {
  /** Must match the template. */
  uri: string;
  name: string;
  title?: string;
  description?: string;
  /** Default: the mimeType of the template. */
  mimeType?: string;
  /** The size in bytes. */
  size?: number;
  annotations?: BlockAnnotations;
  icons?: readonly Icon[];
  /** Members of MCP extensions, such as `ui` of MCP Apps, for hosts. Give keys of your own a prefix. */
  _meta?: Record<string, unknown>;
}

/** The context of a template's `list`. The list is the same for all clients, so `list` cannot ask the user. */
export type ListContext = Pick<CallContext, 'signal' | 'logger'>;

/** The context of a resource's `watch`. It runs for all subscribers, so it cannot ask the user. */
export type WatchContext = ListContext;

/** A resource with a fixed `uri`, or a family of them under a `uriTemplate` (RFC 6570). */
export type RegisteredResource = ResourceCommon &
  (
    | {
        uri: string;
        /** The size in bytes. */
        size?: number;
        uriTemplate?: undefined;
        list?: undefined;
        read(
          uri: string,
          variables: Record<string, string>,
          context: CallContext,
        ): ResourceReadResult | Promise<ResourceReadResult>;
      }
    | {
        uri?: undefined;
        size?: undefined;
        uriTemplate: string;
        /**
         * Returns the resources that exist now. The server calls it for each `resources/list`, and waits 5 seconds at
         * most.
         */
        list?(context: ListContext): readonly ListedResource[] | Promise<readonly ListedResource[]>;
        read(
          uri: string,
          variables: Record<string, string>,
          context: CallContext,
        ): ResourceReadResult | Promise<ResourceReadResult>;
      }
  );

export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
  complete?: Completer;
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

/** The result of a prompt's `get`. A string becomes one message of the user. */
export type PromptGetResult = string | PromptMessage[] | { description?: string; messages: PromptMessage[] };

export interface RegisteredPrompt {
  name: string;
  title?: string;
  description?: string;
  icons?: readonly Icon[];
  /** Members of MCP extensions, such as `ui` of MCP Apps, for hosts. Give keys of your own a prefix. */
  _meta?: Record<string, unknown>;
  arguments?: PromptArgument[];
  get(args: Record<string, string>, context: CallContext): PromptGetResult | Promise<PromptGetResult>;
}

/** Something that was registered and can be removed again. Clients learn that the list has changed. */
export interface Registration {
  remove(): void;
}

/** The MCP server that runs a plugin. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** For plugins that start processes: no such process outlives the server, however the server ends. */
export interface ProcessTracker {
  /**
   * Merge these variables into the environment of each process that you start. The server finds the process by them,
   * whatever process group it is in.
   */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Ends the process group that `pid` leads when the plugin is unloaded, if it still runs; on Windows, the process and
   * its descendants. Remove the registration when the process has ended.
   */
  own(pid: number): Registration;
}

/** The argument of `register(api)`. The `register…` methods can also be called later. */
export interface RegisterApi {
  // biome-ignore lint/suspicious/noExplicitAny: the plugin author chooses the type, to match the schema
  registerTool<Input = any>(tool: RegisteredTool<Input>): Registration;
  /**
   * Creates a tool as `defineTool` does, and registers it. Its arguments are typed, and an object that `run` returns
   * becomes the structured content of the result.
   */
  readonly defineTool: DefineTool<Registration>;
  /**
   * Registers a resource or a template. Registering a resource later changes the definition of the plugin, which is
   * reported or refused (docs/spec/plugin-definitions.md#pins). For resources that come and go, register a template
   * with `list`.
   */
  registerResource(resource: RegisteredResource): Registration;
  registerPrompt(prompt: RegisteredPrompt): Registration;
  /** Tells subscribers that the resource has changed. */
  resourceUpdated(uri: string): void;
  /** Tells clients that `list` of a template returns other resources now. */
  resourceListChanged(): void;
  /** The absolute path of the plugins folder that contains this plugin. */
  getPluginsDir(): string;
  /** Requests a reload of all plugins. Requests are queued; a reload never starts within another one. */
  reloadPlugins(): Promise<void>;
  /** Returns the plugin's setting at `key` (levels separated by `:`) as a string; null if it is not set. */
  getConfig(key: string): string | null;
  /**
   * The absolute path of a folder for the plugin's own files. It is the same after every restart, and `--watch` does
   * not watch it. The folder is created when this property is first read. Its name is derived from the plugin's name
   * and its plugins folder.
   */
  readonly dataDir: string;
  readonly logger: Logger;
  readonly server: ServerInfo;
  readonly processes: ProcessTracker;
  /** Registers a function that is called when the plugin is unloaded. */
  onDispose(dispose: () => void | Promise<void>): void;
}

/** The form of the function that a module exports to register its tools, resources and prompts. */
export type Register = (api: RegisterApi) => void | Promise<void>;
