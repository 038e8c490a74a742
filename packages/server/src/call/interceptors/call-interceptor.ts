import type { CancelSignal } from '@mortise/mcp/util';
import type { ErrorResult, JsonObject } from '@mortise/plugin';
import { type ErrorOutcome, QuestionRefusedError } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import type { Caller } from '../../core/server-api.js';
import type { PluginRef, Tool } from '../../core/snapshot.js';

/** The plugin whose code runs. */
export interface CallOwner extends PluginRef {
  readonly runner?: Pick<Runner, 'maxConcurrentCalls'>;
}

/** A call as interceptors see it: the same object before and after the plugin's code runs. */
export interface InterceptedCall {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion' | 'list';
  readonly owner: CallOwner;
  /** The tool's wire name, the resource's URI, or the prompt or template that is completed or listed. */
  readonly target: string;
  readonly caller: Caller;
  /** Set for the kind `tool`. */
  readonly tool?: Tool | undefined;
  /** The arguments for the kind `tool`, without call options. */
  readonly args?: JsonObject | undefined;
  /** Fires at the deadline, at the caller's cancel, or when the server closes. */
  readonly ended: CancelSignal;
  /** The slot that `PluginConcurrency` holds for the call. It is a field because a WeakMap would be slower. */
  slot?: object | undefined;
  /** The time at which the plugin's code started, for `CallStatistics` (`performance.now()`). */
  admittedAt?: number | undefined;
  /** The slot that `CallerLimiter` holds for the call. */
  callerSlot?: object | undefined;
}

/** The outcome of a call: `kind` is `success`, `error`, `input_required` or `completed`. */
export interface CallOutcome {
  readonly kind: string;
}

/**
 * Code that runs around the plugin code of every call, read, prompt and completion. `create-interceptors.ts` has the
 * list of all interceptors.
 */
export interface CallInterceptor {
  /**
   * Runs before the plugin's code, after the deadline has started.
   * @returns the error with which the call is refused; undefined to let it run. Must settle when `call.ended` fires
   */
  before?(call: InterceptedCall): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined>;
  /**
   * Runs when the plugin's code asks its caller, before the questions are sent.
   * @returns the error with which the questions are refused; otherwise a function that runs when they are answered or
   * abandoned, before the code continues. It runs also if the call has ended, and must settle when `call.ended` fires
   */
  asks?(call: InterceptedCall, questionCount: number): ErrorOutcome | (() => void | Promise<void>) | undefined;
  /**
   * Runs once for each call that `before` did not refuse, in reverse order of the interceptors. Must not throw.
   * @param outcome of the call, or the error of a later interceptor that refused it; undefined if something threw
   */
  after?(call: InterceptedCall, outcome: CallOutcome | undefined): void;
}

/** Runs the work if no interceptor refuses the call. @param end is called last, even if something throws */
export async function runIntercepted<T extends CallOutcome>(
  interceptors: readonly CallInterceptor[],
  call: InterceptedCall,
  work: () => Promise<T | ErrorOutcome>,
  end: () => void = () => {},
): Promise<T | ErrorOutcome> {
  let outcome: T | ErrorOutcome | undefined;
  let passedCount = 0;
  try {
    for (const interceptor of interceptors) {
      const refusal = interceptor.before?.(call);
      // Most interceptors answer synchronously; awaiting would cost a tick.
      outcome = refusal instanceof Promise ? await refusal : refusal;
      if (outcome) return outcome;
      passedCount += 1;
    }
    outcome = await work();
    return outcome;
  } finally {
    while (passedCount > 0) interceptors[--passedCount]!.after?.(call, outcome);
    end();
  }
}

/**
 * Asks the questions if no interceptor refuses them.
 * @throws QuestionRefusedError
 */
export async function askIntercepted<T>(
  interceptors: readonly CallInterceptor[],
  call: InterceptedCall,
  questionCount: number,
  ask: () => Promise<T>,
): Promise<T> {
  const onAnswered: (() => void | Promise<void>)[] = [];
  try {
    for (const interceptor of interceptors) {
      const reply = interceptor.asks?.(call, questionCount);
      if (typeof reply === 'function') onAnswered.unshift(reply);
      else if (reply) throw new QuestionRefusedError(reply.errors as ErrorResult[]);
    }
    return await ask();
  } finally {
    for (const listener of onAnswered) await listener();
  }
}
