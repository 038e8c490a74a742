import type { CallContext } from './call-context.js';
import type { BlockAnnotations, ContentBlock, ResourceContents } from './content.js';
import type { DefineTool } from './define-tool.js';
import type { Icon } from './icon.js';
import type { Logger } from './logger.js';
import type { JsonSchema } from './schema.js';
import type { ToolAction, ToolAnnotations, ToolFailure } from './tool.js';

/**
 * A tool given to `api.registerTool`. `run` may return anything; docs/spec/plugin-results.md#results says what becomes of it.
 */
// biome-ignore lint/suspicious/noExplicitAny: the input's type is the author's, by the schema
export interface RegisteredTool<Input = any> {
  name: string;
  description?: string;
  inputSchema?: JsonSchema;
  title?: string;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  icons?: readonly Icon[];
  /** For hosts: members of MCP's extensions, such as `ui` of MCP Apps. Keys have a prefix of your own. */
  _meta?: Record<string, unknown>;
  /** For a tool whose job is to show code: nothing is hidden that merely looks like a secret. */
  redaction?: 'values-only';
  /** How long one call may take, in milliseconds; default is the setting `Tools.TimeoutMs`. */
  timeoutMs?: number;
  /** false: `tools/list` leaves it out, and a call still reaches it. Default true. */
  listed?: boolean;
  /**
   * true: the tool takes so long that only clients of MCP that know tasks can call it; others get CAPABILITY_NOT_AVAILABLE
   * (docs/spec/protocol.md#tasks). Default false.
   */
  needsTask?: boolean;
  /**
   * For a tool with a parameter `action`: what each of its values takes, for people who fill in a form. Models do not get it,
   * and arguments are not checked by it (docs/spec/plugin-api.md#tool-actions).
   */
  actions?: Readonly<Record<string, ToolAction>>;
  run(input: Input, context: CallContext): unknown;
}

/** Text, bytes, one or several contents; `null` or `notFound()` where there is nothing: what `read` of a resource may return. */
export type ResourceReadResult =
  | null
  | ToolFailure
  | string
  | Uint8Array
  | { text: string; mimeType?: string }
  | { blob: string | Uint8Array; mimeType?: string }
  | { contents: ResourceContents[] };

/** What a {@link Completer} gets besides what was typed. */
export interface CompletionContext {
  /** The other arguments, as far as they are known. */
  readonly arguments: Record<string, string>;
  /** Fires when the client wants the values no longer, or they took too long (5 seconds at most). */
  readonly signal: AbortSignal;
}

/** Gives the values that complete what was typed so far; at most 100 are shown. */
export type Completer = (value: string, context: CompletionContext) => readonly string[] | Promise<readonly string[]>;

interface ResourceCommon {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: readonly Icon[];
  /** Who it is for, how much it matters, and when it was changed. */
  annotations?: BlockAnnotations;
  /** For hosts: members of MCP's extensions, such as `ui` of MCP Apps. Keys have a prefix of your own. */
  _meta?: Record<string, unknown>;
  /** Completes the template's variables, by name. */
  complete?: Record<string, Completer>;
  /**
   * Runs while at least one client is subscribed to the URI: watch or poll here, and call `api.resourceUpdated(uri)` at each change.
   * `signal` fires after the last subscriber has left, and when the plugin is unloaded.
   */
  watch?(uri: string, variables: Record<string, string>, context: WatchContext): void | Promise<void>;
}

/** One of the resources that a template lists: what `resources/list` shows of it. */
export interface ListedResource {
  /** It fits the template. */
  uri: string;
  name: string;
  title?: string;
  description?: string;
  /** Default: the one of the template. */
  mimeType?: string;
  /** In bytes. */
  size?: number;
  annotations?: BlockAnnotations;
  icons?: readonly Icon[];
  /** For hosts: members of MCP's extensions, such as `ui` of MCP Apps. Keys have a prefix of your own. */
  _meta?: Record<string, unknown>;
}

/** What `list` of a template gets: a list is the same for every client, and cannot ask. */
export type ListContext = Pick<CallContext, 'signal' | 'logger'>;

/** What `watch` of a resource gets: it runs for all subscribers, and cannot ask. */
export type WatchContext = ListContext;

/** A resource with a fixed `uri`, or a family of them under a `uriTemplate` (RFC 6570). */
export type RegisteredResource = ResourceCommon &
  (
    | {
        uri: string;
        /** In bytes. */
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
        /** The resources that there are now. It runs at each `resources/list`, for at most 5 seconds. */
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

/** What `get` of a prompt may return: a text is one message of the user. */
export type PromptGetResult = string | PromptMessage[] | { description?: string; messages: PromptMessage[] };

export interface RegisteredPrompt {
  name: string;
  title?: string;
  description?: string;
  icons?: readonly Icon[];
  /** For hosts: members of MCP's extensions, such as `ui` of MCP Apps. Keys have a prefix of your own. */
  _meta?: Record<string, unknown>;
  arguments?: PromptArgument[];
  get(args: Record<string, string>, context: CallContext): PromptGetResult | Promise<PromptGetResult>;
}

/** Takes back what was registered; the list changes then. */
export interface Registration {
  remove(): void;
}

/** The MCP server that runs a plugin. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** For plugins that start processes: none of them outlives the server, however it ends. */
export interface ProcessTracker {
  /** To be merged into the environment of what you start: it is found by this, whatever process group it is in. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The process group that `pid` leads ends with the plugin, at the latest. Take it back when the process has ended.
   * On Windows: the process and what it started.
   */
  own(pid: number): Registration;
}

/** What `register(api)` is called with. The `register…` calls may also be made later. */
export interface RegisterApi {
  // biome-ignore lint/suspicious/noExplicitAny: the input's type is the author's, by the schema
  registerTool<Input = any>(tool: RegisteredTool<Input>): Registration;
  /** Registers what `defineTool` of these options would make: typed arguments, and plain data as the result. */
  readonly defineTool: DefineTool<Registration>;
  /**
   * Registers a resource, or a template. A resource that is registered later is a changed definition of the plugin, which is reported, or
   * refused (docs/spec/plugin-definitions.md#pins): for what comes and goes, register a template with `list`.
   */
  registerResource(resource: RegisteredResource): Registration;
  registerPrompt(prompt: RegisteredPrompt): Registration;
  /** Tells subscribers that the resource has changed. */
  resourceUpdated(uri: string): void;
  /** Tells clients that a template's `list` gives other resources now. */
  resourceListChanged(): void;
  /** The absolute path of the plugins folder that this plugin was found in. */
  getPluginsDir(): string;
  /** Asks for a reload of all plugins; queued, never re-entrant. */
  reloadPlugins(): Promise<void>;
  /** A setting as text, or null; see PluginContext. */
  getConfig(key: string): string | null;
  /**
   * The absolute path of a folder for the plugin's own files: the same after every restart, and not watched by `--watch`. It is made when
   * this is first read. Its name comes from the plugin's name and its plugins folder.
   */
  readonly dataDir: string;
  readonly logger: Logger;
  /** What runs the plugin. */
  readonly server: ServerInfo;
  readonly processes: ProcessTracker;
  /** Called when the plugin is unloaded. */
  onDispose(dispose: () => void | Promise<void>): void;
}

/** What a module exports to be a registered plugin. */
export type Register = (api: RegisterApi) => void | Promise<void>;
