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

/** What an interceptor knows of a call, which is the same object before and after the call. */
export interface InterceptedCall {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion' | 'list';
  readonly owner: CallOwner;
  /** The tool's wire name, the resource's URI, or the prompt or template that is completed or listed. */
  readonly target: string;
  readonly caller: Caller;
  /** Of the kind `tool`. */
  readonly tool?: Tool | undefined;
  /** Of the kind `tool`: checked, without the options of the server. */
  readonly args?: JsonObject | undefined;
  /** Fires at the deadline, at the caller's cancel, or when the server closes. */
  readonly ended: CancelSignal;
  /** What `PluginConcurrency` holds for the call: a field, because looking it up in a WeakMap would take longer than the rest. */
  slot?: object | undefined;
  /** When the plugin's code began, for `CallStatistics`. */
  admittedAt?: number | undefined;
  /** What `CallerLimiter` holds for the call. */
  callerSlot?: object | undefined;
}

/** How a call ended: success, error, input required, completed. */
export interface CallOutcome {
  readonly kind: string;
}

/**
 * Code that runs around the plugin code of every call, read, prompt and completion. The list of them is in
 * `create-interceptors.ts`.
 */
export interface CallInterceptor {
  /**
   * Runs before the plugin's code, while the deadline runs.
   * @returns the error with which the call is refused; undefined to let it run. Must settle when `call.ended` fires.
   */
  before?(call: InterceptedCall): ErrorOutcome | undefined | Promise<ErrorOutcome | undefined>;
  /**
   * Runs when the plugin's code asks its caller, before anything is sent.
   * @param count how many questions it asks at once
   * @returns the error with which they are refused; otherwise what runs once they are answered or given up, before the code
   * continues. That must settle when `call.ended` fires, and runs also if the call has ended.
   */
  asks?(call: InterceptedCall, count: number): ErrorOutcome | (() => void | Promise<void>) | undefined;
  /**
   * Runs once for each call that `before` did not refuse, last interceptor first. Must not throw.
   * @param outcome how the call ended, also where a later interceptor refused it; undefined if something threw
   */
  after?(call: InterceptedCall, outcome: CallOutcome | undefined): void;
}

/** Runs the work if no interceptor refuses the call. @param end called last, however the call ends */
export async function runIntercepted<T extends CallOutcome>(
  interceptors: readonly CallInterceptor[],
  call: InterceptedCall,
  work: () => Promise<T | ErrorOutcome>,
  end: () => void = () => {},
): Promise<T | ErrorOutcome> {
  let outcome: T | ErrorOutcome | undefined;
  let passed = 0;
  try {
    for (const interceptor of interceptors) {
      const answer = interceptor.before?.(call);
      // Most do not wait, and an await costs a turn of the event loop's microtasks.
      outcome = answer instanceof Promise ? await answer : answer;
      if (outcome) return outcome;
      passed += 1;
    }
    outcome = await work();
    return outcome;
  } finally {
    while (passed > 0) interceptors[--passed]!.after?.(call, outcome);
    end();
  }
}

/**
 * Runs the question if no interceptor refuses it.
 * @throws QuestionRefusedError
 */
export async function askIntercepted<T>(
  interceptors: readonly CallInterceptor[],
  call: InterceptedCall,
  count: number,
  question: () => Promise<T>,
): Promise<T> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    for (const interceptor of interceptors) {
      const answer = interceptor.asks?.(call, count);
      if (typeof answer === 'function') ends.unshift(answer);
      else if (answer) throw new QuestionRefusedError(answer.errors as ErrorResult[]);
    }
    return await question();
  } finally {
    for (const end of ends) await end();
  }
}
