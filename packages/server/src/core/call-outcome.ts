import { errorCodeEntry } from '@mortise/plugin';
import type { ObservedAnswer } from './server-api.js';

interface Outcome {
  /** For docs/error-codes.md. */
  readonly meaning: string;
  /** No code of a plugin ran. */
  readonly isRefusal?: true;
  readonly isSuccess?: true;
}

/** How calls end that have no result and no code of an error. */
type AnswerOutcome = Uppercase<Exclude<ObservedAnswer['kind'], 'result' | 'error'>>;

/** How a call can end, apart from the codes of errors and `JSON_RPC_<code>`. */
export const OUTCOMES = {
  ok: { isSuccess: true, meaning: 'It succeeded.' },
  INPUT_REQUIRED: { isSuccess: true, meaning: 'The client has been asked, and comes back with the answers.' },
  CANCELLED: { meaning: 'The client has cancelled it.' },
  MISSING_CAPABILITY: { meaning: 'The client cannot answer what the plugin asks.' },
  UNKNOWN_TOOL: { isRefusal: true, meaning: 'This caller has no tool with that name.' },
  REQUEST_STATE_INVALID: {
    isRefusal: true,
    meaning: 'It has answers to questions that were not asked in this call.',
  },
} as const satisfies Record<AnswerOutcome | 'ok' | 'REQUEST_STATE_INVALID', Outcome>;

const ownOutcome = (outcome: string): Outcome | undefined =>
  Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as keyof typeof OUTCOMES] : undefined;

/** `ok`, or the code of the error. */
export function outcomeOf(answer: ObservedAnswer | undefined): string {
  if (answer === undefined) return 'INTERNAL_ERROR';
  if ('result' in answer) return answer.result.isError ? (firstCode(answer.result) ?? 'TOOL_ERROR') : 'ok';
  if (answer.kind === 'error')
    return typeof answer.data?.code === 'string' ? answer.data.code : `JSON_RPC_${answer.code}`;
  return answer.kind === 'result' ? 'ok' : answer.kind.toUpperCase();
}

/** Whether the call was refused before any code of a plugin ran. */
export function isRefusal(outcome: string): boolean {
  return (ownOutcome(outcome) ?? errorCodeEntry(outcome))?.isRefusal === true;
}

/** Whether the call succeeded, or did not end yet: the client has been asked. */
export function isSuccess(outcome: string): boolean {
  return ownOutcome(outcome)?.isSuccess === true;
}

/** Whether it is a word of the server or of the protocol; others are codes of plugins and compilers. */
export function isServerOutcome(outcome: string): boolean {
  return (ownOutcome(outcome) ?? errorCodeEntry(outcome)) !== undefined || JSON_RPC.test(outcome);
}

const JSON_RPC = /^JSON_RPC_-\d{1,6}$/;

function firstCode({ structuredContent }: { structuredContent?: unknown }): string | undefined {
  const { errors } = (structuredContent ?? {}) as { errors?: readonly { code?: string }[] };
  return errors?.[0]?.code;
}
