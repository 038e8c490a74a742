import type { CallChannel, ErrorOutcome, Outcome } from '@mortise/plugin/runtime';
import { callIdOf } from '../core/call-id.js';
import { CallerChannel } from './caller-channel.js';
import { withinGrace } from './deadline.js';
import { type CallOutcome, runIntercepted } from './interceptors/call-interceptor.js';
import { LimitedCall } from './limited-call.js';
import { unavailableOwner } from './not-found.js';
import { abortedOutcome } from './results/error-outcomes.js';
import { withinResultLimits } from './results/result-limits.js';

/**
 * The way of every call, from what the client named to the answer that it gets:
 *
 *   find → validate → authorise → limit → run → check → redact → answer
 *
 * A call is an object that has a method for each stage. There is a class for each kind: `tool-call.ts`, `read-resource.ts`,
 * `get-prompt.ts` and `complete.ts`. To authorise and to limit is the same for all of them ({@link runWithLimits}).
 * What a stage finds wrong is the outcome or the answer of the call; only what nobody foresaw is thrown.
 */
export async function answerCall<O extends CallOutcome, A>(call: Call<O, A>): Promise<A> {
  try {
    if (!call.find()) {
      const unavailable = await unavailableOwner(call, () => call.find());
      if (unavailable === undefined) return call.notFound();
      if (unavailable !== 'there') return call.answer(call.redact(unavailable));
    }
    const refusal = call.validate();
    if (refusal !== undefined) return refusal;
    const outcome = await runWithLimits(call, async (channel) => call.check(await call.run(channel), channel));
    return call.answer(call.redact(outcome));
  } catch (error) {
    return call.failed(error);
  }
}

/**
 * Runs a plugin's code for a call. The interceptors authorise the call and make it wait for its turn, or refuse it; its
 * deadline begins before that. After the deadline or a cancel, and the grace period, the call is over: what the code still
 * returns becomes rawOutput.
 */
export function runWithLimits<O extends CallOutcome>(
  call: LimitedCall,
  work: (channel: CallChannel) => Promise<O>,
): Promise<O | ErrorOutcome> {
  const { services, owner, graceMs } = call;
  const timeoutMs = timeoutOf(call);
  const deadline = services.deadlines.start(timeoutMs, call.caller.signal);
  call.ended = deadline;
  const channel = new CallerChannel(call, deadline);
  const toOutcome = (value: O | undefined): O | ErrorOutcome => {
    if (deadline.abortReason === undefined) return withinResultLimits(value!);
    const isBlocked = value === undefined && owner.runner?.isBlocked?.();
    const during = channel.isStarting ? 'starting' : isBlocked ? 'blocked' : undefined;
    return abortedOutcome(deadline.abortReason, timeoutMs, value as Outcome | undefined, during);
  };
  return runIntercepted<O>(
    services.interceptors,
    call,
    () => withinGrace(deadline, graceMs, () => work(channel), toOutcome),
    () => {
      channel.end();
      deadline.stop();
    },
  );
}

/** How many milliseconds the call can take; there is no limit while its plugin runs under a debugger. */
function timeoutOf({ services: { inspected, settings }, owner, timeoutMs = settings.Tools.TimeoutMs }: LimitedCall) {
  return inspected.has(owner.plugin) ? Number.POSITIVE_INFINITY : timeoutMs;
}

/**
 * A call of one kind, with its stages in the order in which {@link answerCall} runs them.
 * `O` is what the plugin's code comes to, `A` what the caller gets.
 */
export abstract class Call<O extends CallOutcome, A> extends LimitedCall {
  /** For the log; most calls need none. */
  get id(): string {
    return callIdOf(this.caller);
  }

  override logFields(): Record<string, unknown> {
    return { [this.kind]: this.target, callId: this.id };
  }

  /** Looks up what the caller named, and sets the owner. @returns whether there is such a thing now */
  abstract find(): boolean;

  /** How the pins of a plugin that is not loaded name what was called; undefined if no such plugin is asked for it. */
  get label(): string | undefined {
    return undefined;
  }

  /** The answer if nothing has the name. */
  abstract notFound(): A;

  /** The answer if what the caller sent is not valid; undefined if it is. */
  validate(): A | undefined {
    return undefined;
  }

  /** Runs the plugin's code. */
  abstract run(channel: CallChannel): Promise<O>;

  /** The outcome, or the error in its place if the code did not keep its own promises. */
  check(outcome: O, _channel: CallChannel): O | Promise<O> {
    return outcome;
  }

  /** The outcome without secrets, and without names that the caller does not see. */
  abstract redact(outcome: O | ErrorOutcome): O | ErrorOutcome;

  /** What the caller gets. @param outcome redacted */
  abstract answer(outcome: O | ErrorOutcome): A;

  /** The answer if the server itself has failed. @throws what it was given, where the front end answers */
  failed(error: unknown): A {
    throw error;
  }
}
