import type { CallChannel, ErrorOutcome, Outcome } from '@mortise/plugin/runtime';
import { callIdOf } from '../core/call-id.js';
import { CallerChannel } from './caller-channel.js';
import { withinGrace } from './deadline.js';
import { type CallOutcome, runIntercepted } from './interceptors/call-interceptor.js';
import { LimitedCall } from './limited-call.js';
import { abortedOutcome } from './results/error-outcomes.js';
import { enforceResultLimits } from './results/result-limits.js';
import { retryUnloadedOwner } from './unloaded-owner.js';

/**
 * Takes a call through all its stages and returns the answer for the client:
 *
 *   find → validate → authorise → limit → run → check → redact → answer
 *
 * A call is an object with a method for each stage. There is a class for each kind: `tool-call.ts`, `read-resource.ts`,
 * `get-prompt.ts` and `complete.ts`. Authorisation and limits are the same for all kinds ({@link runWithLimits}).
 * A stage that fails returns an error outcome or an answer; it throws only on a fault of the server.
 */
export async function answerCall<O extends CallOutcome, A>(call: Call<O, A>): Promise<A> {
  try {
    if (!call.find()) {
      const retry = await retryUnloadedOwner(call, () => call.find());
      if (retry === undefined) return call.notFound();
      if (retry !== 'found') return await settled(call, call.answer(call.redact(retry)));
    }
    const refusal = call.validate();
    if (refusal !== undefined) return refusal;
    const outcome = await runWithLimits(call, async (channel) => call.check(await call.run(channel), channel));
    return await settled(call, call.answer(call.redact(outcome)));
  } catch (error) {
    return call.failed(error);
  }
}

/** Returns the answer as soon as every replica can read the outputs that it refers to. */
function settled<A>({ writes }: { readonly writes: readonly Promise<void>[] }, answer: A): A | Promise<A> {
  return writes.length === 0 ? answer : Promise.all(writes).then(() => answer);
}

/**
 * Runs a plugin's code for a call. The deadline starts first. Then the interceptors refuse the call, or let it run as
 * soon as a slot is free. After the deadline or a cancel, the code may continue for the grace period; the text of a
 * result that it returns by then becomes the `rawOutput` of the error.
 */
export function runWithLimits<O extends CallOutcome>(
  call: LimitedCall,
  work: (channel: CallChannel) => Promise<O>,
): Promise<O | ErrorOutcome> {
  const { services, owner, graceMs } = call;
  const timeoutMs = timeoutMsOf(call);
  const deadline = services.deadlines.start(timeoutMs, call.caller.signal);
  call.ended = deadline;
  const channel = new CallerChannel(call, deadline);
  const toOutcome = (value: O | undefined): O | ErrorOutcome => {
    if (deadline.abortReason === undefined) return enforceResultLimits(value!);
    const isBlocked = value === undefined && owner.runner?.isBlocked?.();
    const pluginState = channel.isStarting ? 'starting' : isBlocked ? 'blocked' : undefined;
    return abortedOutcome(deadline.abortReason, timeoutMs, value as Outcome | undefined, pluginState);
  };
  return runIntercepted<O>(
    services.interceptors,
    call,
    () => withinGrace({ ended: deadline, graceMs, work: () => work(channel), toOutcome }),
    () => {
      channel.end();
      deadline.stop();
    },
  );
}

/** A plugin under a debugger has no time limit. */
function timeoutMsOf({ services, owner, timeoutMs = services.settings.Tools.TimeoutMs }: LimitedCall): number {
  return services.inspectedPlugins.has(owner.plugin) ? Number.POSITIVE_INFINITY : timeoutMs;
}

/**
 * A call of one kind, with its stages in the order in which {@link answerCall} runs them.
 * `O` is the outcome of the plugin's code, `A` the answer for the caller.
 */
export abstract class Call<O extends CallOutcome, A> extends LimitedCall {
  /** Pending writes to the store that the replicas share, for outputs that the answer refers to. They never reject. */
  readonly writes: Promise<void>[] = [];

  get id(): string {
    return callIdOf(this.caller);
  }

  override logFields(): Record<string, unknown> {
    return { [this.kind]: this.target, callId: this.id };
  }

  /**
   * Looks up the called tool, resource or prompt and sets `owner`.
   * @returns false if the caller has none of that name
   */
  abstract find(): boolean;

  /**
   * The label under which the target is pinned. If no loaded plugin has the target, the server looks for the label in
   * the pins of plugins that are not loaded; undefined if it must not.
   */
  get pinLabel(): string | undefined {
    return undefined;
  }

  /** The answer if no plugin provides the target. */
  abstract notFound(): A;

  /** Validates the arguments. @returns the answer to invalid arguments; undefined if they are valid */
  validate(): A | undefined {
    return undefined;
  }

  abstract run(channel: CallChannel): Promise<O>;

  /** Checks the outcome against the plugin's own declarations. @returns the outcome, or an error in its place */
  check(outcome: O, _channel: CallChannel): O | Promise<O> {
    return outcome;
  }

  /** Removes secrets, and names that are hidden from the caller. */
  abstract redact(outcome: O | ErrorOutcome): O | ErrorOutcome;

  /** Converts the redacted outcome to the answer. */
  abstract answer(outcome: O | ErrorOutcome): A;

  /** The answer after a fault of the server. @throws the error, if the front end answers such errors itself */
  failed(error: unknown): A {
    throw error;
  }
}
