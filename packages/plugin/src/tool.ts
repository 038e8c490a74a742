import type { CallContext } from './call-context.js';
import type { ContentBlock } from './content.js';
import type { Icon } from './icon.js';
import type { ToolArguments } from './infer-schema.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';

/** Hints about what a tool does, as MCP has them. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** What `executeAsync` returns. `ok()` and `fail()` make one. */
export interface ToolCallResult {
  content: ContentBlock[];
  isError?: boolean;
  structuredContent?: object | undefined;
  /** Of the result, for hosts. */
  _meta?: Record<string, unknown>;
}

/** What `ok()` makes; `Data` is the type of its structured content. */
export interface ToolSuccess<Data extends object | undefined = object | undefined> extends ToolCallResult {
  isError?: false;
  structuredContent: Data;
}

/** What `fail()` makes. */
export interface ToolFailure extends ToolCallResult {
  isError: true;
}

/** One value of `action`: its parameters besides `action` itself, and whether it only reads. */
export interface ToolAction {
  /** Without these the call is refused. */
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** It changes nothing; default: as the tool's annotation of that name. Believed as that one is (docs/spec/access.md#trust-annotations). */
  readonly readOnlyHint?: boolean;
  /** Parameters with which the action does more than `readOnlyHint` says, unless their value is false. */
  readonly writesWith?: readonly string[];
}

/** A class tool: the server makes one instance, and calls `executeAsync` for each `tools/call`. */
export interface ITool {
  /** Unique; `[A-Za-z0-9_.-]`, at most 128 characters; `snake_case` by convention. */
  readonly name: string;
  /** What models choose the tool by. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly title?: string;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** For hosts: members of MCP's extensions, such as `ui` of MCP Apps. Keys have a prefix of your own. */
  readonly _meta?: Record<string, unknown>;
  /**
   * `values-only`, for a tool whose job is to show code: of its results only configured secrets and `secret()` texts are hidden, and
   * not what merely looks like a secret.
   */
  readonly redaction?: 'values-only';
  /** How long one call may take, in milliseconds; default is the setting `Tools.TimeoutMs`. */
  readonly timeoutMs?: number;
  /** false: `tools/list` leaves it out, and a call still reaches it. Default true. */
  readonly listed?: boolean;
  /**
   * true: the tool takes so long that only clients of MCP that know tasks can call it; others get CAPABILITY_NOT_AVAILABLE
   * (docs/spec/protocol.md#tasks). Default false.
   */
  readonly needsTask?: boolean;
  /** What each value of the parameter `action` takes, for forms ({@link RegisteredTool.actions}). */
  readonly actions?: Readonly<Record<string, ToolAction>>;
  /**
   * @param args the arguments; `{}` when the client sent none
   * @param progress never undefined when the host calls
   * @param signal fires when the call is cancelled or its time is over
   */
  executeAsync(
    args: ToolArguments | null,
    progress?: IProgressReporter,
    signal?: AbortSignal,
    context?: CallContext,
  ): Promise<ToolCallResult>;
  /** Called once when the plugin is unloaded. */
  dispose?(): void | Promise<void>;
}

/** The result that a registered tool should return; other values are normalised into it. */
export interface ToolResponse {
  /** Text, or blocks. A block of a type that MCP does not have is sent as text. */
  content: string | ContentBlock[] | { type: string; text: string }[];
  metadata?: Record<string, unknown>;
  /** Truthy makes the result an error. */
  error?: string;
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}
