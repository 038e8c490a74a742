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

/** The part of a connection that its requests use. */
export interface RequestConnection {
  readonly transport: Transport;
  readonly generation: Generation | undefined;
  readonly principal: string | undefined;
  /** The authorization that `authenticate` returned for the latest request. */
  readonly authorization: unknown;
  readonly sessionId: string | undefined;
  /** The level of the last `logging/setLevel`. */
  logLevel: LoggingLevel | undefined;
  /** The client's declaration in `initialize`. */
  declaration: ClientDeclaration;
  /** The running subscriptions of `resources/subscribe` by URI. A source fires when its subscription ends. */
  readonly subscriptions: Map<string, CancelSource>;
  readonly pending: PendingRequests;
  /** Sends a notification that belongs to no request. */
  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void;
  /** Ends the request without a response, because the client has cancelled it or has disconnected. */
  abandon(context: RequestContext): void;
  respond(context: RequestContext, result: Result): void;
}

/** A request that is being handled. It knows its sender, and sends messages back before the response. */
export class RequestContext implements Linked<RequestContext> {
  readonly connection: RequestConnection;
  /** The authorization that `authenticate` returned for this request. */
  readonly authorization: unknown;
  /** Fires when the client cancels the request or disconnects, and when the server shuts down. */
  readonly signal: CancelSignal;
  // The neighbours in the server's list of running requests.
  previous: RequestContext | undefined;
  next: RequestContext | undefined;
  /** Called once when the request is answered or cancelled. */
  onEnd: ((error?: RpcErrorObject) => void) | undefined;
  /** Set if the call can become a task. */
  taskCall: TaskCall | undefined;
  /** The HTTP response to send instead of a JSON-RPC response. Set by a handler that refuses the HTTP request. */
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
    this.authorization = connection.authorization;
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

  /** The principal that the transport has authenticated; undefined if it asks for no key. */
  get principal(): string | undefined {
    return this.connection.principal;
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

  /** The lowest level of log lines that the client wants for this request; undefined if it wants none. */
  get logLevel(): LoggingLevel | undefined {
    return this.connection.generation === 'stateless' ? this.#declaration.logLevel : this.connection.logLevel;
  }

  /** Whether the client declared the tasks extension (docs/spec/protocol.md#tasks). */
  get knowsTasks(): boolean {
    const { extensions } = this.#declaration.capabilities;
    return this.connection.generation === 'stateless' && isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
  }

  /** Whether the call has become a task: its response was sent, and its handler continues. */
  get isTask(): boolean {
    return this.taskCall?.task !== undefined;
  }

  /** Whether anybody reads the progress of the request: its client, or the readers of its task. */
  get wantsProgress(): boolean {
    return this.taskCall !== undefined || this.meta.progressToken !== undefined;
  }

  /** The time of the last progress, on the clock of `performance.now()`. */
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

  /** Sends a log line if its level reaches `threshold`. @param threshold default: the client's level */
  log(message: LogMessage, threshold: LoggingLevel | undefined = this.logLevel): void {
    if (isWanted(message.level, threshold)) this.notify('notifications/message', message);
  }

  /** Sends a notification that belongs to the request. Sends nothing after the response or a cancellation. */
  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void {
    if (!this.#isEnded && !this.#isSettled && !this.signal.aborted)
      this.#outlet.send(notificationMessage(method, params));
  }

  /**
   * Sends a request to the client, which must use a protocol version before 2026-07-28. The request to the client is
   * cancelled when the call ends.
   * @param signal cancels only the request to the client
   * @returns the client's result
   * @throws RpcError with the client's error; Error if the request was cancelled, or the client uses 2026-07-28
   */
  ask(method: InputRequest['method'], params: InputRequest['params'], signal?: CancelSignal): Promise<Params> {
    if (this.connection.generation === 'stateless') {
      const message =
        'Clients with protocol version 2026-07-28 accept no requests from the server. Return an input_required result.';
      return Promise.reject(new Error(message));
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
   * @param signal withdraws the questions; the task continues without them
   * @returns the answers by the same keys
   * @throws Error if the task has ended or was cancelled, or the call is not a task
   */
  askInTask(requests: Readonly<Record<string, InputRequest>>, signal?: CancelSignal): Promise<Params> {
    if (!this.isTask) return Promise.reject(new Error('The call is not a task.'));
    return this.taskCall!.ask(requests, signal);
  }

  /** Adds parameters for the next run of the handler. @returns all parameters */
  addParams(params: Params): Params {
    this.#request = { ...this.#request, params: { ...this.#request.params, ...params } };
    return this.#request.params;
  }

  /** Cancels the call on behalf of the server. Its handler still answers. */
  cancel(): void {
    this.#source.abort();
  }

  /** Ends the request without a response, because its client has cancelled it or has disconnected. */
  abandon(): void {
    this.#source.abort();
    this.#isEnded = true;
    this.onEnd?.();
    this.#outlet.abandon();
  }

  /** Stops notifications: the handler has returned, and the response follows in a moment. */
  settle(): void {
    this.#isSettled = true;
  }

  /** Call this right before the response: it stops notifications and cancels open questions. */
  end(error?: RpcErrorObject): void {
    this.#questions?.abort();
    this.#isEnded = true;
    this.onEnd?.(error);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get outlet(): Outlet {
    return this.#outlet;
  }
}
