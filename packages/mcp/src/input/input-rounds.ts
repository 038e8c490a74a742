import { createHash, randomBytes } from 'node:crypto';
import type { RequestContext } from '../core/request-context.js';
import type { Params } from '../json-rpc/messages.js';
import { invalidParams, type RpcError } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import type { InputRequest, InputRequiredResult } from '../protocol/types.js';
import { createSealedJson, type SealedJson } from './sealed-json.js';

/** The time that a client has for one round of questions. It is long, because people answer them. */
const ROUND_MS = 3_600_000;

/** The state that the client carries from one round to the next, sealed so that it can neither read nor change it. */
interface State {
  /** The method and the name of the tool or prompt, or the URI of the resource, such as `tools/call echo`. */
  target: string;
  /** The digest of the arguments. */
  digest: string;
  principal: string;
  /** The keys of the questions of this round. */
  asked: string[];
  /** The answers of the earlier rounds. */
  answers: Readonly<Params>;
  /** The value that the handler keeps for the next round. */
  kept?: unknown;
  /** In milliseconds since 1970. */
  expires: number;
}

/** One round of a request that may need several (2026-07-28). */
export interface InputRound {
  /** All answers so far by key, which are untrusted. Earlier rounds only have answers to questions that were asked. */
  readonly answers: Readonly<Params>;
  /** The value that the handler kept in the previous round. */
  readonly kept?: unknown;
  /**
   * Makes the `input_required` result that asks for more.
   * @param requests by key
   * @param kept JSON for the next round, which the client cannot read
   */
  ask(requests: Readonly<Record<string, InputRequest>>, kept?: unknown): InputRequiredResult;
}

/** Keeps the answers of a request that needs several rounds in the `requestState` that the client carries. */
export interface InputRounds {
  /**
   * @param target the method and the name of the tool or prompt, or the URI of the resource
   * @throws RpcError −32602 if the state is damaged or expired, or belongs to another caller or request
   */
  open(context: RequestContext, target: string, args: unknown): InputRound;
}

const NONE: Readonly<Params> = {};

/**
 * Makes the rounds of one server.
 * @param keys encrypt the state: the first seals it, and each of them opens it. Replicas that share work need the same
 * keys. With '' or an empty list, the state can be opened only by this process.
 * @param roundMs the time that a client has for one round; default: one hour
 */
export function createInputRounds(keys: string | readonly string[], roundMs = ROUND_MS): InputRounds {
  const [first, ...others] = [keys].flat().filter((key) => key !== '');
  const secretOf = (key: string) => createHash('sha256').update(key).digest();
  const sealed = createSealedJson([first === undefined ? randomBytes(32) : secretOf(first), ...others.map(secretOf)]);
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

/** Drops everything that is not an object, because answers are objects. */
function onlyObjects(responses: Params): Params {
  return Object.fromEntries(Object.entries(responses).filter(([, answer]) => isObject(answer)));
}

function pick(from: Readonly<Params>, keys: readonly string[]): Params {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(from, key)).map((key) => [key, from[key]]));
}

/** The digest does not depend on the order of members. It is undefined if the value is nested too deeply for JSON. */
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
