import type { ContentBlock } from './content.js';
import type { Logger } from './logger.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';
import type { ArgumentsFrom, SchemaInput } from './schema-input.js';

/** What the client said that it can do; only the presence of a member counts. */
export interface ClientCapabilities {
  elicitation?: { form?: object; url?: object } & Record<string, unknown>;
  sampling?: Record<string, unknown>;
  roots?: Record<string, unknown>;
  [name: string]: unknown;
}

/** A question to the user, answered in a form. */
export interface ElicitRequest<S extends SchemaInput = SchemaInput> {
  message: string;
  /**
   * A Standard Schema, or a JSON Schema: an object of texts, numbers, booleans and choices of texts, which is all that MCP can
   * ask for (docs/spec/plugin-questions.md#question-schemas). The content of the answer fits it and has its type.
   */
  schema: S;
}

/** The type of the content of an answer: that of the schema, if it is a Standard Schema or a literal. */
export type AnswerContent<S> = JsonSchema extends S ? Record<string, unknown> : ArgumentsFrom<S>;

/** `content` has the form's values, with the defaults of the schema. */
export type ElicitAnswer<Content = Record<string, unknown>> =
  | { action: 'accept'; content: Content }
  | { action: 'decline' | 'cancel'; content?: undefined };

/** A request to the client's model; members as MCP `sampling/createMessage` has them. */
export interface SampleRequest {
  messages: { role: 'user' | 'assistant'; content: ContentBlock | ContentBlock[] }[];
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
  stopSequences?: string[];
  modelPreferences?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface SampleAnswer {
  role: 'user' | 'assistant';
  content: ContentBlock | ContentBlock[];
  model: string;
  stopReason?: string;
}

export interface Root {
  uri: string;
  name?: string;
}

/** A page that the user is asked to open, for what must not go through the client: a sign-in, a payment, a secret. */
export interface ElicitUrlRequest {
  message: string;
  /** An http or https URL. It must not itself hold a secret: it is redacted like any text. */
  url: string;
}

/** `accept`: the user agreed to open the page, and may not be done there yet. */
export type ElicitUrlAnswer = Pick<ElicitAnswer, 'action'>;

/** One question of {@link CallInput.all}. */
export type InputQuestion =
  | { elicit: ElicitRequest }
  | { elicitUrl: ElicitUrlRequest }
  | { sample: SampleRequest }
  | { roots: true };

/** The answer that belongs to a question. */
export type InputAnswer<Q extends InputQuestion> = Q extends { elicit: { schema: infer S } }
  ? ElicitAnswer<AnswerContent<S>>
  : Q extends { elicitUrl: unknown }
    ? ElicitUrlAnswer
    : Q extends { sample: unknown }
      ? SampleAnswer
      : Root[];

/**
 * Asks the user or the client in the middle of a call.
 *
 * With protocol 2026-07-28 the call ends at the question, and runs **again from its start** when the client comes back
 * with the answers, which are found by their keys. So: effects before the last `await input…` only inside
 * {@link CallContext.once}, and the same key for the same question every time.
 *
 * A client that cannot answer makes these throw; uncaught, the call ends as CAPABILITY_NOT_AVAILABLE
 * (−32021 with protocol 2026-07-28). So does an answer that does not fit its question (ANSWER_INVALID), an error in place of
 * an answer (QUESTION_FAILED), and a question without an answer (ANSWER_TIMEOUT).
 */
export interface CallInput {
  elicit<const S extends SchemaInput>(key: string, request: ElicitRequest<S>): Promise<ElicitAnswer<AnswerContent<S>>>;
  /** Only for clients that declare `elicitation.url`. */
  elicitUrl(key: string, request: ElicitUrlRequest): Promise<ElicitUrlAnswer>;
  /**
   * Tells the client that the user is done with the page of `elicitUrl(key, …)`, so that it can stop waiting. While the call runs; with protocol
   * 2026-07-28 it does nothing.
   * @throws TypeError if no page was asked for with this key
   */
  completeUrl(key: string): void;
  sample(key: string, request: SampleRequest): Promise<SampleAnswer>;
  roots(key: string): Promise<Root[]>;
  /** Several questions together, each under its key. */
  all<const Q extends Record<string, InputQuestion>>(
    questions: Q,
  ): Promise<{ -readonly [K in keyof Q]: InputAnswer<Q[K]> }>;
}

/** Who makes a call. */
export interface CallerInfo {
  /** What the client reports about itself; do not trust it. Each has at most 200 characters; the name is '' if it reports none. */
  readonly client: { readonly name: string; readonly version: string; readonly title?: string };
  /** The session over HTTP with protocol 2025-11-25. */
  readonly sessionId?: string;
  /** The name of the key (`Auth.Keys`) that the request came with, which the server has checked. */
  readonly principal?: string;
  /** The id of the client's request, as text: unique among the running requests of one connection. */
  readonly requestId: string;
}

/** What a call has at hand: the fourth argument of `executeAsync`, the second of `run`. */
export interface CallContext {
  /** Fires when the call is cancelled or its time is over. */
  readonly signal: AbortSignal;
  readonly progress: IProgressReporter;
  /** Goes to the log and, at the level that the client asked for, to the client that called. */
  readonly logger: Logger;
  /**
   * Shows a part of the output while the call runs: a log message of level info with the field `partial`, for clients that show
   * such messages. The result must contain everything anyway.
   */
  stream(text: string): void;
  /** A setting as text, or null; see PluginContext. */
  getConfig(key: string): string | null;
  readonly caller: CallerInfo;
  readonly clientCapabilities: ClientCapabilities;
  /** The MCP version that the call came by, such as 2025-11-25. */
  readonly protocolVersion: string;
  readonly input: CallInput;
  /**
   * Runs an effect that must not be repeated when the call runs again ({@link CallInput}): a run after an answer gets the first
   * run's result. The result is a JSON value; all results of a call have at most 65,536 characters. An effect that throws counts as
   * not run. It must not ask the client.
   * @param key unique for each effect, the same in every run
   * @throws TypeError (by the promise) for a key that was used already; what the effect throws
   */
  once<T>(key: string, effect: () => T | Promise<T>): Promise<T>;
}
