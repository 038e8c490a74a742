import type { ContentBlock, ResourceContents } from '../content.js';
import type { ErrorHelp, ErrorResult, LockInfo } from '../error-response.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PromptMessage } from '../register.js';
import type { SuccessDetails } from '../result-details.js';

/**
 * A value to show as JSON text. It stays a value until it has been redacted, because only then may it be written as
 * JSON (docs/spec/redaction.md#redaction).
 */
export interface JsonTextBlock {
  type: 'json';
  value: JsonValue;
  /** Spaces of indentation; 0 is compact. */
  indent: 0 | 2;
}

export type OutcomeBlock = ContentBlock | JsonTextBlock;

/** An {@link ErrorResult} whose message and rawOutput may still be values, which the server writes as compact JSON. */
export interface OutcomeError extends Omit<ErrorResult, 'message' | 'rawOutput'> {
  message: string | { json: JsonValue };
  rawOutput: string | { json: JsonValue };
}

export interface SuccessOutcome extends SuccessDetails {
  kind: 'success';
  content: OutcomeBlock[];
  /** True if the tool's content is a single string. structuredContent then shows it as a string. */
  contentIsText: boolean;
  /** The tool's own structuredContent, which takes precedence over metadata. */
  structured?: JsonObject;
  /** True if `structured` is `{result}`, wrapped around the structuredContent of a mounted server. */
  wrapsStructured?: true;
  metadata?: JsonObject;
  /** `_meta` of the result. */
  meta?: JsonObject;
}

export interface ErrorOutcome {
  kind: 'error';
  /** There is at least one. */
  errors: OutcomeError[];
  /** The first line of the text, if it is not the first error's message: `Build failed: 2 errors`. */
  summary?: string;
  /** −1 if no process ran to its end. */
  exitCode: number;
  /** By error code. */
  codes?: Record<string, ErrorHelp>;
  /** The tool's own blocks. For TOOL_ERROR they are kept unchanged. */
  content?: OutcomeBlock[];
  /** Partial results, at the top level of structuredContent. */
  partialResult?: JsonObject;
  metadata?: JsonObject;
  /** `_meta` of the result. */
  meta?: JsonObject;
  /** `data` of the JSON-RPC error of a mounted server. */
  rpcData?: JsonValue;
  lockInfo?: LockInfo;
  /** The complete output of the command. */
  output?: string;
  /** Set if the client lacks a capability that the tool needs: names and objects as in MCP. */
  requiredCapabilities?: JsonObject;
}

export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: JsonObject;
}

/** The results of the effects of `context.once`, by key. `value` is absent if the result was undefined. */
export type OnceResults = Readonly<Record<string, { readonly value?: JsonValue }>>;

/** Ends a call that cannot continue without answers (protocol 2026-07-28). */
export interface InputRequiredOutcome {
  kind: 'input_required';
  requests: Record<string, InputRequest>;
  /** For the next round. It leaves the server only encrypted. */
  onceResults?: OnceResults;
}

export type Outcome = SuccessOutcome | ErrorOutcome | InputRequiredOutcome;

export type ReadOutcome =
  | { kind: 'success'; contents: ResourceContents[]; meta?: JsonObject }
  | ErrorOutcome
  | InputRequiredOutcome;

/** The entries are JSON that has not been checked. */
export type ListOutcome = { kind: 'success'; resources: JsonValue[] } | ErrorOutcome | InputRequiredOutcome;

export type PromptOutcome =
  | { kind: 'success'; description?: string; messages: PromptMessage[]; meta?: JsonObject }
  | ErrorOutcome
  | InputRequiredOutcome;
