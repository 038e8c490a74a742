import type { ContentBlock, ResourceContents } from '../content.js';
import type { ErrorHelp, ErrorResult, LockInfo } from '../error-response.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { PromptMessage } from '../register.js';
import type { SuccessDetails } from '../result-details.js';

/**
 * A value that is shown as JSON text. It stays a value until redaction is done: no JSON text is made of
 * anything before that (docs/spec/redaction.md#redaction).
 */
export interface JsonTextBlock {
  type: 'json';
  value: JsonValue;
  /** Spaces of indentation; 0 is compact. */
  indent: 0 | 2;
}

export type OutcomeBlock = ContentBlock | JsonTextBlock;

/** An {@link ErrorResult} whose message and rawOutput may still be values to be written as compact JSON. */
export interface OutcomeError extends Omit<ErrorResult, 'message' | 'rawOutput'> {
  message: string | { json: JsonValue };
  rawOutput: string | { json: JsonValue };
}

export interface SuccessOutcome extends SuccessDetails {
  kind: 'success';
  content: OutcomeBlock[];
  /** Whether the tool gave its content as one text, which is then how structuredContent shows it. */
  contentIsText: boolean;
  /** Given by the tool as structuredContent; wins over metadata. */
  structured?: JsonObject;
  /** `structured` is `{result}` of what a mounted server gave. */
  wrapsStructured?: true;
  metadata?: JsonObject;
  /** `_meta` of the result. */
  meta?: JsonObject;
}

export interface ErrorOutcome {
  kind: 'error';
  /** At least one. */
  errors: OutcomeError[];
  /** The first line of the text, if it is not the first error's message: `Build failed: 2 errors`. */
  summary?: string;
  /** −1 when nothing was run to its end. */
  exitCode: number;
  /** Help by code that several errors share. */
  codes?: Record<string, ErrorHelp>;
  /** The tool's own blocks: kept as they are for TOOL_ERROR. */
  content?: OutcomeBlock[];
  /** Fields that are known in addition to the error, at the top level of structuredContent. */
  partialResult?: JsonObject;
  metadata?: JsonObject;
  /** `_meta` of the result. */
  meta?: JsonObject;
  /** `data` of the JSON-RPC error of a mounted server. */
  rpcData?: JsonValue;
  lockInfo?: LockInfo;
  /** The whole output of the command. */
  output?: string;
  /** Set when a client lacks what the tool asked for: MCP capability names and objects. */
  requiredCapabilities?: JsonObject;
}

/** One question to the client, as MCP has it. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: JsonObject;
}

/** What the effects of `context.once` came to, by key; without a value where that was undefined. */
export type OnceResults = Readonly<Record<string, { readonly value?: JsonValue }>>;

/** The call cannot continue without answers (protocol 2026-07-28). */
export interface InputRequiredOutcome {
  kind: 'input_required';
  requests: Record<string, InputRequest>;
  /** For the next round. They leave the server only encrypted. */
  onceResults?: OnceResults;
}

/** How every tool call of every plugin ends. */
export type Outcome = SuccessOutcome | ErrorOutcome | InputRequiredOutcome;

/** How reading a resource ends. */
export type ReadOutcome =
  | { kind: 'success'; contents: ResourceContents[]; meta?: JsonObject }
  | ErrorOutcome
  | InputRequiredOutcome;

/** How listing the resources of a template ends. The entries are JSON, and not checked. */
export type ListOutcome = { kind: 'success'; resources: JsonValue[] } | ErrorOutcome | InputRequiredOutcome;

/** How getting a prompt ends. */
export type PromptOutcome =
  | { kind: 'success'; description?: string; messages: PromptMessage[]; meta?: JsonObject }
  | ErrorOutcome
  | InputRequiredOutcome;
