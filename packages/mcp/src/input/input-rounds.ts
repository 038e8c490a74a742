import { createHash, randomBytes } from 'node:crypto';
import type { RequestContext } from '../core/request-context.js';
import type { Params } from '../json-rpc/messages.js';
import { invalidParams, type RpcError } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import type { InputRequest, InputRequiredResult } from '../protocol/types.js';
import { createSealedJson, type SealedJson } from './sealed-json.js';

/** How long a client may take for one round of questions, in milliseconds: people answer them. */
const ROUND_MS = 3_600_000;

/** What the client carries from one round to the next. It can neither read nor change it. */
interface State {
  /** What was called: `tools/call echo`. */
  target: string;
  /** The digest of the arguments. */
  digest: string;
  /** Who called. */
  principal: string;
  /** The keys that were asked for in this round. */
  asked: string[];
  /** The answers of the earlier rounds. */
  answers: Readonly<Params>;
  /** What the handler keeps. */
  kept?: unknown;
  /** In milliseconds since 1970. */
  expires: number;
}

/** One round of a request that may need several (2026-07-28). */
export interface InputRound {
  /** All answers so far, by key: untrusted. Those of earlier rounds are only to what was asked. */
  readonly answers: Readonly<Params>;
  /** What the round before has kept. */
  readonly kept?: unknown;
  /**
   * The `input_required` result that asks for more.
   * @param requests by key
   * @param kept for the next round: JSON that the client must not read
   */
  ask(requests: Readonly<Record<string, InputRequest>>, kept?: unknown): InputRequiredResult;
}

/** Keeps the answers of a request that needs several rounds in the `requestState` that the client carries. */
export interface InputRounds {
  /**
   * @param target the method and the name of what is called
   * @param args of the call
   * @throws RpcError −32602 for a state that is wrong, expired, another caller's, or of another request
   */
  open(context: RequestContext, target: string, args: unknown): InputRound;
}

const NONE: Readonly<Params> = {};

/**
 * @param key of the encryption; '' makes one for this process. Replicas that share work need the same.
 * @param roundMs how long a state holds, in milliseconds
 */
export function createInputRounds(key: string, roundMs = ROUND_MS): InputRounds {
  const sealed = createSealedJson(key === '' ? randomBytes(32) : createHash('sha256').update(key).digest());
  return {
    open(context, target, args) {
      const { inputResponses, requestState } = context.request.params;
      const responses = isObject(inputResponses) ? onlyObjects(inputResponses) : NONE;
      const call = { target, args, principal: context.principal ?? '', roundMs };
      if (requestState === undefined) return new Round(sealed, call, responses);
      const state = readState(sealed, requestState);
      if (state === undefined || !belongsTo(state, call)) throw invalidState();
      return new Round(sealed, call, { ...state.answers, ...pick(responses, state.asked) }, state.kept);
    },
  };
}

/** The request that a round belongs to. */
interface RoundCall {
  readonly target: string;
  readonly args: unknown;
  readonly principal: string;
  readonly roundMs: number;
}

class Round implements InputRound {
  readonly answers: Readonly<Params>;
  readonly kept: unknown;
  readonly #sealed: SealedJson;
  readonly #call: RoundCall;

  constructor(sealed: SealedJson, call: RoundCall, answers: Readonly<Params>, kept?: unknown) {
    this.#sealed = sealed;
    this.#call = call;
    this.answers = answers;
    this.kept = kept;
  }

  ask(requests: Readonly<Record<string, InputRequest>>, kept?: unknown): InputRequiredResult {
    const { target, args, principal, roundMs } = this.#call;
    const state: State = {
      target,
      digest: digestOf(args) ?? '',
      principal,
      asked: Object.keys(requests),
      answers: this.answers,
      ...(kept !== undefined && { kept }),
      expires: Date.now() + roundMs,
    };
    return { resultType: 'input_required', inputRequests: requests, requestState: this.#sealed.seal(state) };
  }
}

function readState(sealed: SealedJson, text: unknown): State | undefined {
  try {
    return sealed.open(String(text)) as State;
  } catch {
    return undefined;
  }
}

function belongsTo(state: State, { target, args, principal }: RoundCall): boolean {
  return (
    state.target === target &&
    state.principal === principal &&
    state.expires > Date.now() &&
    state.digest === digestOf(args)
  );
}

function invalidState(): RpcError {
  return invalidParams('Invalid or expired requestState: send the request again without it.', {
    reason: 'invalid_request_state',
  });
}

/** An answer is an object; anything else was not answered. */
function onlyObjects(responses: Params): Params {
  return Object.fromEntries(Object.entries(responses).filter(([, answer]) => isObject(answer)));
}

function pick(from: Readonly<Params>, keys: readonly string[]): Params {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(from, key)).map((key) => [key, from[key]]));
}

/** Independent of the order of members; undefined for a value that is nested too deeply for JSON. */
function digestOf(args: unknown): string | undefined {
  try {
    return createHash('sha256')
      .update(JSON.stringify(args ?? null, sortMembers))
      .digest('base64url');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function sortMembers(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
