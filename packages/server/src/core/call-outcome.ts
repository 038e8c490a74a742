import { errorCodeEntry } from '@mortise/plugin';
import type { ObservedAnswer } from './server-api.js';

interface Outcome {
  /** A sentence for docs/error-codes.md. */
  readonly meaning: string;
  /** Set if the call ends before any plugin code runs. */
  readonly isRefusal?: true;
  readonly isSuccess?: true;
}

/** The outcome of an answer that is neither a result nor an error: its kind in upper case. */
type AnswerOutcome = Uppercase<Exclude<ObservedAnswer['kind'], 'result' | 'error'>>;

/** The outcomes that a call can have besides error codes and `JSON_RPC_<code>`. */
export const OUTCOMES = {
  ok: { isSuccess: true, meaning: 'The call succeeded.' },
  INPUT_REQUIRED: {
    isSuccess: true,
    meaning: 'The plugin asked the client a question. The client will repeat the call with the answer.',
  },
  CANCELLED: { meaning: 'The client cancelled the call.' },
  MISSING_CAPABILITY: { meaning: "The client lacks the capability to answer the plugin's question." },
  UNKNOWN_TOOL: { isRefusal: true, meaning: 'The caller has no tool with that name.' },
  REQUEST_STATE_INVALID: {
    isRefusal: true,
    meaning: 'The call contains answers to questions that were not asked in this call.',
  },
} as const satisfies Record<AnswerOutcome | 'ok' | 'REQUEST_STATE_INVALID', Outcome>;

const ownOutcome = (outcome: string): Outcome | undefined =>
  Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as keyof typeof OUTCOMES] : undefined;

/** Returns `ok`, the code of the error, or the kind of the answer as a code. INTERNAL_ERROR if there is no answer. */
export function outcomeOf(answer: ObservedAnswer | undefined): string {
  if (answer === undefined) return 'INTERNAL_ERROR';
  if ('result' in answer) return answer.result.isError ? (firstCode(answer.result) ?? 'TOOL_ERROR') : 'ok';
  if (answer.kind === 'error')
    return typeof answer.data?.code === 'string' ? answer.data.code : `JSON_RPC_${answer.code}`;
  return answer.kind === 'result' ? 'ok' : answer.kind.toUpperCase();
}

/** True if the call was refused before any plugin code ran. */
export function isRefusal(outcome: string): boolean {
  return (ownOutcome(outcome) ?? errorCodeEntry(outcome))?.isRefusal === true;
}

/** True if the call succeeded, or has not ended yet because the client was asked a question. */
export function isSuccess(outcome: string): boolean {
  return ownOutcome(outcome)?.isSuccess === true;
}

/** True if the server or the protocol defines the outcome; false for codes that plugins and compilers define. */
export function isServerOutcome(outcome: string): boolean {
  return (ownOutcome(outcome) ?? errorCodeEntry(outcome)) !== undefined || JSON_RPC.test(outcome);
}

const JSON_RPC = /^JSON_RPC_-\d{1,6}$/;

function firstCode({ structuredContent }: { structuredContent?: unknown }): string | undefined {
  const { errors } = (structuredContent ?? {}) as { errors?: readonly { code?: string }[] };
  return errors?.[0]?.code;
}
