import { type InputRound, type RequestContext, RpcError } from '@mortise/mcp';
import type { CancelSignal } from '@mortise/mcp/util';
import { CancelSource } from '@mortise/mcp/util';
import type { CallerInfo, ClientCapabilities, ProgressReport } from '@mortise/plugin';
import type { InputRequest, OnceResults } from '@mortise/plugin/runtime';
import { ClientErrorAnswer } from '../../core/client-error-answer.js';
import type { Principal, Scope } from '../../core/principal.js';
import type { Caller } from '../../core/server-api.js';
import { errorMessage } from '../../util/error-message.js';
import { insufficientScope } from './bearer-challenge.js';
import { DEFAULT_CALL_LEVEL, logMessage } from './log-message.js';

/** Returns the principal that sent the request (docs/spec/access.md#principals). */
export function principalOf({ authorization }: Pick<RequestContext, 'authorization'>): Principal | undefined {
  return authorization as Principal | undefined;
}

/** The caller of a request. It sends messages back to the client while the call runs. */
export class RequestCaller implements Caller {
  readonly inputMode: Caller['inputMode'];
  readonly signal: CancelSignal;
  readonly progress?: (report: ProgressReport) => void;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly onceResults: OnceResults | undefined;
  readonly principal: Principal | undefined;
  readonly #context: RequestContext;

  constructor(context: RequestContext, round?: InputRound) {
    this.#context = context;
    this.inputMode = context.connection.generation === 'stateless' ? 'retry' : 'ask';
    this.signal = context.signal;
    this.principal = principalOf(context);
    this.answers = round?.answers ?? {};
    this.onceResults = round?.kept as OnceResults | undefined;
    if (context.wantsProgress) {
      this.progress = ({ done: progress, ...rest }) => context.progress({ progress, ...rest });
    }
  }

  get isTask(): boolean {
    return this.#context.isTask;
  }

  get onTask(): Caller['onTask'] {
    const { taskCall } = this.#context;
    return taskCall && ((listener) => taskCall.onCreated(listener));
  }

  get meta(): Readonly<Record<string, unknown>> {
    return this.#context.meta;
  }

  get client(): object {
    return this.#context.connection;
  }

  get info(): CallerInfo {
    const { sessionId, principal, id, clientInfo } = this.#context;
    const identity = this.principal?.identity;
    return {
      client: toClient(clientInfo),
      ...(sessionId !== undefined && { sessionId }),
      ...(principal && { principal }),
      ...(identity && { issuer: identity.issuer, subject: identity.subject }),
      requestId: String(id),
    };
  }

  get protocolVersion(): string | undefined {
    return this.#context.protocolVersion;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#context.clientCapabilities;
  }

  log(line: Parameters<NonNullable<Caller['log']>>[0]): void {
    const { logLevel } = this.#context;
    this.#context.log(logMessage(line), this.inputMode === 'ask' ? (logLevel ?? DEFAULT_CALL_LEVEL) : logLevel);
  }

  /** Sets the status 403 of the response, so that a client with a key or token learns which scope it needs. */
  lacksScope(scope: Scope): void {
    const { principal } = this;
    if (principal?.keyName === undefined && principal?.identity === undefined) return;
    this.#context.httpResponse = insufficientScope(scope, principal);
  }

  /** Tells the client that the user has finished a page, even if the call has ended long ago. */
  completeElicitation(elicitationId: string): void {
    if (this.inputMode !== 'ask') return;
    const { isEnded, connection } = this.#context;
    (isEnded ? connection : this.#context).notify('notifications/elicitation/complete', { elicitationId });
  }

  /**
   * Sends the questions to the client, all at the same time. If the client refuses one or the call ends, the others are
   * cancelled. In a task the client fetches the questions instead.
   * @throws ClientErrorAnswer if the client answers with an error
   */
  async requestInput(requests: Record<string, InputRequest>, signal: CancelSignal): Promise<Record<string, unknown>> {
    if (this.isTask) return this.#context.askInTask(requests, signal);
    const cancel = new CancelSource();
    signal.addEventListener('abort', () => cancel.abort());
    const ask = async ([key, { method, params }]: [string, InputRequest]) =>
      [key, await this.#context.ask(method, params, cancel)] as const;
    try {
      return Object.fromEntries(await Promise.all(Object.entries(requests).map(ask)));
    } catch (error) {
      cancel.abort();
      if (error instanceof RpcError) throw new ClientErrorAnswer(error.code, error.message);
      throw new Error(`The client gave no answer: ${errorMessage(error)}`);
    }
  }
}

const MAX_INFO_CHARS = 200;
const clip = (text: unknown): string => (typeof text === 'string' ? text.slice(0, MAX_INFO_CHARS) : '');

function toClient({ name, version, title }: Record<string, unknown> = {}): CallerInfo['client'] {
  return { name: clip(name), version: clip(version), ...(title !== undefined && { title: clip(title) }) };
}
