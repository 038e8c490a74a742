import type { ContentBlock } from './content.js';
import type { Logger } from './logger.js';
import type { IProgressReporter } from './progress-reporter.js';
import type { JsonSchema } from './schema.js';
import type { ArgumentsFrom, SchemaInput } from './schema-input.js';

/** The capabilities that the client declares. Only the presence of a member counts. */
export interface ClientCapabilities {
  elicitation?: { form?: object; url?: object } & Record<string, unknown>;
  sampling?: Record<string, unknown>;
  roots?: Record<string, unknown>;
  [name: string]: unknown;
}

/** A question that the user answers in a form. */
export interface ElicitRequest<S extends SchemaInput = SchemaInput> {
  message: string;
  /**
   * A Standard Schema or a JSON Schema of an object of texts, numbers, booleans and choices of texts. MCP cannot ask
   * for anything else (docs/spec/plugin-questions.md#question-schemas). The content of the answer is valid against this
   * schema.
   */
  schema: S;
}

/** The type of an answer's content, inferred from a Standard Schema or a literal JSON Schema. */
export type AnswerContent<S> = JsonSchema extends S ? Record<string, unknown> : ArgumentsFrom<S>;

/** `content` has the values of the form, with the defaults of the schema filled in. */
export type ElicitAnswer<Content = Record<string, unknown>> =
  | { action: 'accept'; content: Content }
  | { action: 'decline' | 'cancel'; content?: undefined };

/** A request to the client's model, with the members of MCP's `sampling/createMessage`. */
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

/**
 * A page that the user is asked to open. Use it for data that must not pass through the client: a sign-in, a payment, a
 * secret.
 */
export interface ElicitUrlRequest {
  message: string;
  /** An http or https URL. It is redacted like any text, so it must not contain a secret. */
  url: string;
}

/** `accept` means that the user agreed to open the page, not that the user has finished there. */
export type ElicitUrlAnswer = Pick<ElicitAnswer, 'action'>;

/** One question of {@link CallInput.all}. */
export type InputQuestion =
  | { elicit: ElicitRequest }
  | { elicitUrl: ElicitUrlRequest }
  | { sample: SampleRequest }
  | { roots: true };

/** The type of the answer to a question. */
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
 * With protocol 2026-07-28 the call ends at the question. When the client returns with the answers, the call runs
 * **again from its start**, and finds the answers by their keys. So use the same key for the same question every time,
 * and have effects before the last `await input…` only inside {@link CallContext.once}.
 *
 * These methods throw if the client cannot answer. If the tool does not catch the error, the call fails with
 * CAPABILITY_NOT_AVAILABLE (−32021 with protocol 2026-07-28). They also throw if the answer does not fit its question
 * (ANSWER_INVALID), if the client answers with an error (QUESTION_FAILED), and if it does not answer in time
 * (ANSWER_TIMEOUT).
 */
export interface CallInput {
  elicit<const S extends SchemaInput>(key: string, request: ElicitRequest<S>): Promise<ElicitAnswer<AnswerContent<S>>>;
  /** Only for clients that declare `elicitation.url`. */
  elicitUrl(key: string, request: ElicitUrlRequest): Promise<ElicitUrlAnswer>;
  /**
   * Tells the client that the user has finished with the page of `elicitUrl(key, …)`, so that the client can stop
   * waiting. Works while the call runs; does nothing with protocol 2026-07-28.
   * @throws TypeError if no page was requested with this key
   */
  completeUrl(key: string): void;
  sample(key: string, request: SampleRequest): Promise<SampleAnswer>;
  roots(key: string): Promise<Root[]>;
  /** Asks several questions together, each under its key. */
  all<const Q extends Record<string, InputQuestion>>(
    questions: Q,
  ): Promise<{ -readonly [K in keyof Q]: InputAnswer<Q[K]> }>;
}

/** The client, the session and the access key that a call comes from. */
export interface CallerInfo {
  /**
   * The client's own description of itself; do not trust it. Each text has at most 200 characters. The name is '' if
   * the client sends none.
   */
  readonly client: { readonly name: string; readonly version: string; readonly title?: string };
  /** The session id; only over HTTP with protocol 2025-11-25. */
  readonly sessionId?: string;
  /**
   * The name of the key in `Auth.Keys` with which the request was authenticated, or `<issuer>/<subject>` of its token. The
   * server's limits and records are under this name.
   */
  readonly principal?: string;
  /** The `Name` of the issuer in `Auth.Issuers`; only of requests with a token. The token itself is not passed on. */
  readonly issuer?: string;
  /** The user or program for whom the issuer has made the token. */
  readonly subject?: string;
  /** The id of the client's request, as a string. It is unique among the running requests of one connection. */
  readonly requestId: string;
}

/** The services of one call: the fourth argument of `executeAsync`, and the second of `run`. */
export interface CallContext {
  /** Fires when the call is cancelled or has reached its time limit. */
  readonly signal: AbortSignal;
  readonly progress: IProgressReporter;
  /** Writes to the server's log and, at the level that the client asked for, to the client that made the call. */
  readonly logger: Logger;
  /**
   * Shows a part of the output while the call runs: as a log message of level info with the field `partial`, to clients
   * that show such messages. The result must still contain the complete output.
   */
  stream(text: string): void;
  /** The setting as a string, or null (see {@link PluginContext}). */
  getConfig(key: string): string | null;
  readonly caller: CallerInfo;
  readonly clientCapabilities: ClientCapabilities;
  /** The MCP version of the call, such as 2025-11-25. */
  readonly protocolVersion: string;
  readonly input: CallInput;
  /**
   * Runs an effect that must not be repeated if the call runs again ({@link CallInput}): the next run gets the result
   * of the first. The result is a JSON value; all results of a call together have at most 65,536 characters. An effect
   * that throws runs again. Effects must not ask the client.
   * @param key unique for each effect, the same in every run
   * @throws TypeError (rejects) if the key has already been used in this run; otherwise the error of the effect
   */
  once<T>(key: string, effect: () => T | Promise<T>): Promise<T>;
}
