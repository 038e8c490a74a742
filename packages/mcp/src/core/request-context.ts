import {
  isRequestId,
  notificationMessage,
  type Params,
  type RequestId,
  type RpcRequest,
} from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import type { ClientDeclaration } from '../protocol/client-declaration.js';
import { isWanted, type LoggingLevel } from '../protocol/logging-levels.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type {
  InputRequest,
  LogMessage,
  NotificationMethod,
  Notifications,
  Progress,
  Result,
} from '../protocol/types.js';
import type { Generation, Transport } from '../protocol/versions.js';
import type { TaskCall } from '../tasks/task-call.js';
import { type CancelSignal, CancelSource } from '../util/cancel-source.js';
import type { Linked } from '../util/linked-list.js';
import type { HttpResponse, Outlet } from './outlet.js';
import type { PendingRequests } from './pending-requests.js';

/** What a request needs of its connection. */
export interface RequestConnection {
  readonly transport: Transport;
  readonly generation: Generation | undefined;
  readonly principal: string | undefined;
  /** What `authenticate` has said of it. */
  readonly authorization: unknown;
  readonly sessionId: string | undefined;
  /** What `logging/setLevel` said last. */
  logLevel: LoggingLevel | undefined;
  /** What `initialize` said of the client. */
  declaration: ClientDeclaration;
  /** By the URIs of `resources/subscribe`: what fires when the subscription has ended. */
  readonly subscriptions: Map<string, CancelSource>;
  readonly pending: PendingRequests;
  /** Sends a notification that belongs to no request. */
  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void;
  /** Ends the request without a response. */
  abandon(context: RequestContext): void;
  /** Answers the request. */
  respond(context: RequestContext, result: Result): void;
}

/** A request while it is handled: who sent it, and what may be sent back before its response. */
export class RequestContext implements Linked<RequestContext> {
  readonly connection: RequestConnection;
  /** Fires when the client cancels, and when the server ends its calls. */
  readonly signal: CancelSignal;
  /** Its neighbours among the requests of the server that are not answered. */
  previous: RequestContext | undefined;
  next: RequestContext | undefined;
  /** Called when the request is answered or cancelled. */
  onEnd: ((error?: RpcErrorObject) => void) | undefined;
  /** If the call can become a task. */
  taskCall: TaskCall | undefined;
  /** Set by a handler that refuses the whole request. */
  httpResponse: HttpResponse | undefined;
  #request: RpcRequest;
  readonly #outlet: Outlet;
  readonly #source: CancelSource;
  readonly #declaration: ClientDeclaration;
  #isEnded = false;
  #isSettled = false;
  #progressAt: number | undefined;
  #questions: CancelSource | undefined;

  constructor(connection: RequestConnection, request: RpcRequest, outlet: Outlet, declaration: ClientDeclaration) {
    this.connection = connection;
    this.#request = request;
    this.#outlet = outlet;
    this.#declaration = declaration;
    this.#source = new CancelSource();
    this.signal = this.#source;
  }

  get request(): RpcRequest {
    return this.#request;
  }

  get id(): RequestId {
    return this.#request.id;
  }

  get meta(): Params {
    return (this.#request.params._meta as Params | undefined) ?? {};
  }

  /** Who the transport says the client is; undefined where no key was asked for. */
  get principal(): string | undefined {
    return this.connection.principal;
  }

  /** What `authenticate` has said beside the name: the server's own. */
  get authorization(): unknown {
    return this.connection.authorization;
  }

  get sessionId(): string | undefined {
    return this.connection.sessionId;
  }

  /** Undefined before `initialize`. */
  get protocolVersion(): string | undefined {
    return this.#declaration.protocolVersion || undefined;
  }

  get clientInfo(): Params | undefined {
    return this.#declaration.clientInfo;
  }

  get clientCapabilities(): Params {
    return this.#declaration.capabilities;
  }

  /** The least level of the log lines that the client wants of this request; undefined: none. */
  get logLevel(): LoggingLevel | undefined {
    return this.connection.generation === 'stateless' ? this.#declaration.logLevel : this.connection.logLevel;
  }

  /** Whether the client declared the tasks extension (docs/spec/protocol.md#tasks). */
  get knowsTasks(): boolean {
    const { extensions } = this.#declaration.capabilities;
    return this.connection.generation === 'stateless' && isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
  }

  /** The call has become a task: its response was sent, and its handler continues. */
  get isTask(): boolean {
    return this.taskCall?.task !== undefined;
  }

  /** Whether the client wants to know how far the request has come. */
  get wantsProgress(): boolean {
    return this.taskCall !== undefined || this.meta.progressToken !== undefined;
  }

  /** When progress was last sent, on the clock of `performance.now()`. */
  get progressAt(): number | undefined {
    return this.#progressAt;
  }

  /** Sends progress, if the client wants any. */
  progress(progress: Progress): void {
    this.taskCall?.progress(progress);
    const { progressToken } = this.meta;
    if (!isRequestId(progressToken)) return;
    this.notify('notifications/progress', { progressToken, ...progress });
    this.#progressAt = performance.now();
  }

  /** Sends a log line, if the client wants any of its level. @param threshold in place of the client's level */
  log(message: LogMessage, threshold: LoggingLevel | undefined = this.logLevel): void {
    if (isWanted(message.level, threshold)) this.notify('notifications/message', message);
  }

  /** Sends a notification that belongs to the request. After its response, or its cancel, nothing is sent. */
  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void {
    if (!this.#isEnded && !this.#isSettled && !this.signal.aborted)
      this.#outlet.send(notificationMessage(method, params));
  }

  /**
   * Sends a request to the client, before 2026-07-28. It is cancelled at the client when the call ends.
   * @param signal cancels this request alone
   * @returns the client's result
   * @throws RpcError with the client's error; Error when it was cancelled, and for a client of 2026-07-28
   */
  ask(method: InputRequest['method'], params: InputRequest['params'], signal?: CancelSignal): Promise<Params> {
    if (this.connection.generation === 'stateless') {
      return Promise.reject(new Error('A client of 2026-07-28 takes no requests: return an input_required result.'));
    }
    const source = new CancelSource();
    const cancel = () => source.abort();
    this.#questions ??= new CancelSource();
    const ends = [this.signal, this.#questions, ...(signal ? [signal] : [])];
    for (const end of ends) {
      if (end.aborted) cancel();
      else end.addEventListener('abort', cancel);
    }
    const send = (json: string) => this.#outlet.send(json);
    const answer = this.connection.pending.send({ method, params, send, signal: source });
    return answer.finally(() => {
      for (const end of ends) end.removeEventListener('abort', cancel);
    });
  }

  /**
   * Asks the client of a task while its handler waits.
   * @param signal withdraws the questions: the task continues without them
   * @returns the client's results by the same keys
   * @throws Error when the task has ended or is cancelled, and for a call that is not a task
   */
  askInTask(requests: Readonly<Record<string, InputRequest>>, signal?: CancelSignal): Promise<Params> {
    if (!this.isTask) return Promise.reject(new Error('The call is not a task.'));
    return this.taskCall!.ask(requests, signal);
  }

  /** The handler will run again, with these parameters in addition. @returns all of them */
  retry(params: Params): Params {
    this.#request = { ...this.#request, params: { ...this.#request.params, ...params } };
    return this.#request.params;
  }

  /** The server ends the call; its handler still answers. */
  cancel(): void {
    this.#source.abort();
  }

  /** The client has cancelled the request: it gets no response. */
  abandon(): void {
    this.#source.abort();
    this.#isEnded = true;
    this.onEnd?.();
    this.#outlet.abandon();
  }

  /** The handler has its result, and the response follows in a moment: no notification is sent any more. */
  settle(): void {
    this.#isSettled = true;
  }

  /** The request is about to be answered: nothing else is sent from here on, and open questions are cancelled. */
  end(error?: RpcErrorObject): void {
    this.#questions?.abort();
    this.#isEnded = true;
    this.onEnd?.(error);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Where the response goes. */
  get outlet(): Outlet {
    return this.#outlet;
  }
}
