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

/** The method and target of a call, as the client wrote them. */
type Target = Omit<ObservedCall, 'caller'>;

/**
 * One call, read, prompt or completion of a client. Its errors and their log lines have the call's id
 * (docs/spec/audit.md#call-id).
 */
export class ClientCall {
  readonly caller: RequestCaller;
  readonly round: InputRound;
  readonly #services: HandlerServices;
  readonly #target: Target;

  /** @throws RpcError if the request brings answers to questions of another call */
  constructor(services: HandlerServices, context: RequestContext, target: Target) {
    this.#services = services;
    this.#target = target;
    try {
      this.round = services.rounds.open(context, `${target.method} ${target.target}`, target.args);
    } catch (error) {
      this.caller = new RequestCaller(context);
      throw this.#refuse(error as RpcError);
    }
    this.caller = new RequestCaller(context, this.round);
  }

  /**
   * Waits for the answer and converts it to an MCP result.
   * @param toResult converts the value of an answer that is not an error
   * @throws RpcError if the answer is an error, or `work` rejects
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

  /** Converts an answer that is an error. A missing capability becomes −32021 with `data.requiredCapabilities`. */
  errorOf(answer: Extract<Answer<object> | IncompleteAnswer, { kind: 'error' | 'missing_capability' }>): RpcError {
    this.logFailure(answer);
    if (answer.kind === 'missing_capability') return this.withId(missingCapability(answer.required));
    return this.withId(new RpcError(answer.code, answer.message, answer.data));
  }

  /** Ends a call in which the server itself has failed. The client gets no details; the log has them. @throws RpcError */
  fail(error: unknown): never {
    this.#services.log.error('internal error', { ...this.#fields(), error: errorStack(error) });
    const message = 'Internal error: the log of the server has the details.';
    throw this.withId(new RpcError(RPC_CODES.internalError, message, { code: 'INTERNAL_ERROR' }));
  }

  /** Writes the failure of the call and its code to the log. */
  logFailure(answer: ObservedAnswer): void {
    this.#services.failures.add({ ...this.#fields(), code: outcomeOf(answer) });
  }

  /** Returns the error with the call's id in its data. */
  withId({ code, message, data }: RpcError): RpcError {
    return new RpcError(code, message, { ...(data as object | undefined), callId: callIdOf(this.caller) });
  }

  /** Logs and audits a call that is refused before the server sees it. @returns the error for the client */
  #refuse({ code, message, data }: RpcError): RpcError {
    const answer: ObservedAnswer = { kind: 'error', code, message, data: { code: 'REQUEST_STATE_INVALID' } };
    this.#services.server.callRefused({ ...this.#target, caller: this.caller }, answer);
    this.logFailure(answer);
    return this.withId(new RpcError(code, message, data));
  }

  #fields() {
    const { method, target } = this.#target;
    return { callId: callIdOf(this.caller), method, target };
  }
}
