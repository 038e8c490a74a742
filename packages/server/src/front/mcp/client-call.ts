import {
  type InputRequiredResult,
  type InputRound,
  missingCapability,
  type RequestContext,
  RPC_CODES,
  RpcError,
} from '@mortise/mcp';
import { callIdOf } from '../../core/call-id.js';
import { outcomeOf } from '../../core/call-outcome.js';
import type { Answer, IncompleteAnswer, ObservedAnswer, ObservedCall } from '../../core/server-api.js';
import { errorStack } from '../../util/error-message.js';
import { RequestCaller } from './caller.js';
import type { HandlerServices } from './handler-services.js';

/** What a client calls, as it wrote it. */
type Target = Omit<ObservedCall, 'caller'>;

/**
 * One call, read, prompt or completion of a client. Each of its errors, and the log line of each, has its id
 * (docs/spec/access.md#call-id); a call that succeeds asks for none.
 */
export class ClientCall {
  readonly caller: RequestCaller;
  readonly round: InputRound;
  readonly #services: HandlerServices;
  readonly #target: Target;

  /** @throws RpcError for answers to questions that were not asked in this call */
  constructor(services: HandlerServices, context: RequestContext, target: Target) {
    this.#services = services;
    this.#target = target;
    try {
      this.round = services.rounds.open(context, `${target.method} ${target.target}`, target.args);
    } catch (error) {
      this.caller = new RequestCaller(context);
      throw this.#refused(error as RpcError);
    }
    this.caller = new RequestCaller(context, this.round);
  }

  /**
   * The MCP result of an answer, made by `toResult` when there is one.
   * @throws RpcError for an answer that is an error, and where there is none
   */
  async run<T, R>(
    work: Promise<Answer<T>>,
    toResult: (value: { kind: 'result' } & T) => R,
  ): Promise<R | InputRequiredResult> {
    const answer = await work.catch((error: unknown) => this.fail(error));
    if (answer.kind === 'result') return toResult(answer);
    if (answer.kind === 'input_required') return this.round.ask(answer.requests, answer.onceResults);
    throw this.errorOf(answer);
  }

  /** The error of an answer that is one: the host's own words and code, or −32021 with `data.requiredCapabilities`. */
  errorOf(answer: Extract<Answer<object> | IncompleteAnswer, { kind: 'error' | 'missing_capability' }>): RpcError {
    this.logFailure(answer);
    if (answer.kind === 'missing_capability') return this.withId(missingCapability(answer.required));
    return this.withId(new RpcError(answer.code, answer.message, answer.data));
  }

  /** The server itself has failed: the text of the error stays in the log. @throws RpcError */
  fail(error: unknown): never {
    this.#services.log.error('internal error', { ...this.#fields(), error: errorStack(error) });
    const message = 'Internal error: the log of the server has the details.';
    throw this.withId(new RpcError(RPC_CODES.internalError, message, { code: 'INTERNAL_ERROR' }));
  }

  /** Says in the log that the call failed, and how. */
  logFailure(answer: ObservedAnswer): void {
    this.#services.failures.add({ ...this.#fields(), code: outcomeOf(answer) });
  }

  withId({ code, message, data }: RpcError): RpcError {
    return new RpcError(code, message, { ...(data as object | undefined), callId: callIdOf(this.caller) });
  }

  /** It did not get as far as the host. */
  #refused({ code, message, data }: RpcError): RpcError {
    const answer: ObservedAnswer = { kind: 'error', code, message, data: { code: 'REQUEST_STATE_INVALID' } };
    this.#services.host.callRefused({ ...this.#target, caller: this.caller }, answer);
    this.logFailure(answer);
    return this.withId(new RpcError(code, message, data));
  }

  #fields() {
    const { method, target } = this.#target;
    return { callId: callIdOf(this.caller), method, target };
  }
}
