import { createHash, randomBytes } from 'node:crypto';
import { createRequestStateCodec, type Result, type ServerContext } from '@modelcontextprotocol/server';
import type { InputRequiredOutcome, OnceResults } from '@mortise/plugin/runtime';
import { invalidParams } from './errors.js';
import { createSealedJson } from './sealed-json.js';
import { isObject } from './values.js';

/** How long a client may take for one round of questions, in seconds: people answer them. */
const ROUND_SECONDS = 3600;

interface State {
  /** `tools/call echo`: what was called. */
  target: string;
  /** The digest of the arguments. */
  digest: string;
  /** The keys that were asked for in this round. */
  asked: string[];
  /** The answers of the earlier rounds. */
  answers: Readonly<Record<string, unknown>>;
  /** The results of `context.once`, encrypted, because the client must not read unredacted data. */
  once?: string;
}

/** One round of a request that may need several (protocol 2026-07-28). */
export interface InputRound {
  /** All answers so far, by key: untrusted. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What effects of the rounds before came to. */
  readonly onceResults?: OnceResults | undefined;
  /** The `input_required` result that asks for more, and keeps what was done. */
  ask(outcome: InputRequiredOutcome): Promise<Result>;
}

/** Keeps the answers and the results of effects of a multi round-trip request in the `requestState` that the client carries. */
export interface InputRounds {
  /**
   * @param target the method and the name of what is called
   * @throws ProtocolError −32602 (by the promise) for a state that is wrong, expired, another caller's, or of another
   *   request
   */
  open(ctx: ServerContext, target: string, args: unknown): InputRound | Promise<InputRound>;
}

/**
 * @param key of the signature; '' makes one for this process. Replicas that share work need the same.
 * @param ttlSeconds how long a state holds
 */
export function createInputRounds(key: string, ttlSeconds = ROUND_SECONDS): InputRounds {
  const secret = key === '' ? randomBytes(32) : createHash('sha256').update(key).digest();
  const sealed = createSealedJson(secret);
  const codec = createRequestStateCodec<State>({
    key: secret,
    ttlSeconds,
    bind: (ctx) => ctx.http?.authInfo?.clientId ?? '',
  });

  const read = async (ctx: ServerContext, raw: unknown): Promise<State> => {
    try {
      return await codec.verify(String(raw), ctx);
    } catch {
      throw invalidState();
    }
  };

  const roundOf = (
    ctx: ServerContext,
    target: string,
    args: unknown,
    answers: Readonly<Record<string, unknown>>,
    earlier?: OnceResults,
  ): InputRound => ({
    answers,
    onceResults: earlier,
    async ask({ requests, onceResults }) {
      const once = onceResults && { once: sealed.seal(onceResults) };
      const state = { target, digest: digestOf(args) ?? '', asked: Object.keys(requests), answers, ...once };
      const requestState = await codec.mint(state, ctx);
      return { resultType: 'input_required', inputRequests: requests, requestState };
    },
  });

  async function resume(raw: unknown, ctx: ServerContext, target: string, args: unknown): Promise<InputRound> {
    const state = await read(ctx, raw);
    if (state.target !== target || state.digest !== digestOf(args)) throw invalidState();
    const input = pick(ctx.mcpReq.inputResponses ?? NONE, state.asked);
    const earlier = state.once === undefined ? undefined : (sealed.open(state.once) as OnceResults);
    return roundOf(ctx, target, args, { ...state.answers, ...input }, earlier);
  }

  return {
    open(ctx, target, args) {
      const raw: unknown = ctx.mcpReq.requestState();
      if (raw !== undefined) return resume(raw, ctx, target, args);
      const input = ctx.mcpReq.inputResponses;
      return roundOf(ctx, target, args, input ? pick(input, Object.keys(input)) : NONE);
    },
  };
}

const NONE: Readonly<Record<string, unknown>> = {};

function invalidState() {
  return invalidParams('Invalid or expired requestState: send the request again without it.', {
    reason: 'invalid_request_state',
  });
}

function pick(from: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
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
