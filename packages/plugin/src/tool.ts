import type { CallContext } from './call-context.js';
import type { ContentBlock } from './content.js';
import type { Icon } from './icon.js';
import type { ToolArguments } from './infer-schema.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';

/** Hints about the effects of a tool, as MCP defines them. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** The result of `executeAsync`. `ok()` and `fail()` make one. */
export interface ToolCallResult {
  content: ContentBlock[];
  isError?: boolean;
  structuredContent?: object | undefined;
  /** Metadata of the result, for hosts. */
  _meta?: Record<string, unknown>;
}

/** The result of `ok()`. `Data` is the type of its structured content. */
export interface ToolSuccess<Data extends object | undefined = object | undefined> extends ToolCallResult {
  isError?: false;
  structuredContent: Data;
}

/** The result of `fail()`. */
export interface ToolFailure extends ToolCallResult {
  isError: true;
}

/** The parameters of one value of `action`, besides `action` itself, and whether the action only reads. */
export interface ToolAction {
  /** The call is refused if one of these is missing. */
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /**
   * True if the action changes nothing. Default: the tool's annotation with this name. It is trusted only if the tool's
   * annotations are (docs/spec/access.md#trust-annotations).
   */
  readonly readOnlyHint?: boolean;
  /** Parameters that make a read-only action write, unless their value is false. */
  readonly writesWith?: readonly string[];
}

/** A tool written as a class. The server creates one instance and calls its `executeAsync` for each `tools/call`. */
export interface ITool {
  /** Unique. At most 128 of the characters `A-Za-z0-9_.-`; `snake_case` by convention. */
  readonly name: string;
  /** Tells models what the tool does and when to use it. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly title?: string;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** Members of MCP extensions, such as `ui` of MCP Apps, for hosts. Give keys of your own a prefix. */
  readonly _meta?: Record<string, unknown>;
  /**
   * `values-only` is for a tool whose job is to show code: only configured secrets and `secret()` texts are hidden in
   * its results, not text that merely looks like a secret.
   */
  readonly redaction?: 'values-only';
  /** The time limit of one call, in milliseconds. Default: the setting `Tools.TimeoutMs`. */
  readonly timeoutMs?: number;
  /** false: `tools/list` omits the tool, but clients can still call it. Default true. */
  readonly listed?: boolean;
  /**
   * true: a call takes so long that only clients that support MCP tasks can call the tool. Others get
   * CAPABILITY_NOT_AVAILABLE (docs/spec/protocol.md#tasks). Default false.
   */
  readonly needsTask?: boolean;
  /** The parameters of each value of `action`, for forms ({@link RegisteredTool.actions}). */
  readonly actions?: Readonly<Record<string, ToolAction>>;
  /**
   * @param args the arguments; `{}` if the client sent none
   * @param progress always defined if the server calls
   * @param signal fires when the call is cancelled or has reached its time limit
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

/** The result that a registered tool should return. The server converts other values to it. */
export interface ToolResponse {
  /** Text, or content blocks. A block of a type that MCP does not know is sent as text. */
  content: string | ContentBlock[] | { type: string; text: string }[];
  metadata?: Record<string, unknown>;
  /** A text that is not empty makes the result an error. */
  error?: string;
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}
