import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  checkAnswer,
  type ErrorOutcome,
  type InputRequest,
  type InputRequiredOutcome,
  isInputMethod,
  isInputRequest,
  isJsonObject,
  missingCapability,
  normaliseThrown,
  QuestionRefusedError,
  toProgressReport,
} from '@mortise/plugin/runtime';
import { MAX_OPEN_QUESTIONS } from '../../core/max-open-questions.js';
import { CallAbandonedError, onAbort } from '../shared/runner-errors.js';
import type { JsonRpcClient, ResponseHandler } from './json-rpc-client.js';
import { passedMeta } from './passed-meta.js';
import { invalid, MissingResultError, notFound, RpcError, rpcRejection } from './rpc-errors.js';
import { urlQuestions } from './url-questions.js';

/** The pause before a request is repeated whose `input_required` result has no questions. */
const REPEAT_PAUSE_MS = 500;
/** The maximum length of a question in an error, which names the question by its text. */
const MAX_NAME_CHARS = 80;

/** The end of one round: the server's result, or questions that the client answers by calling again. */
export type RoundEnd = { kind: 'result'; result: JsonObject } | InputRequiredOutcome;

/** Thrown if a question of the server stays without an answer: the client cannot answer it, or its answer is invalid. */
export class UnansweredError extends Error {
  constructor(readonly outcome: ErrorOutcome) {
    super(String(outcome.errors[0]?.message));
  }
}

interface Question {
  readonly requests: Record<string, InputRequest>;
  resolve(answers: Record<string, unknown>): void;
  reject(error: Error): void;
}

export interface ForwardedRequestOptions {
  readonly method: string;
  readonly params: JsonObject;
  /** Sent over HTTP only. */
  readonly headers?: Record<string, string> | undefined;
  /** Returns the `_meta` of a request for a call. */
  metaFor(channel: CallChannel): JsonObject | undefined;
  /** Called after the call was cancelled and the server was told. */
  onCancelled(): void;
}

interface Waiter {
  resolve(end: RoundEnd): void;
  reject(error: unknown): void;
}

type End = { result: JsonObject } | { error: unknown };

/**
 * One request to a mounted server, with the questions that the server asks during it. A client of 2026-07-28 answers by
 * calling again, in another round. The request waits between two rounds, so that the server does nothing twice.
 */
export class ForwardedRequest implements ResponseHandler {
  readonly #rpc: JsonRpcClient;
  readonly #options: ForwardedRequestOptions;
  #id: string | undefined;
  #questions: Question[] = [];
  #questionCount = 0;
  #unanswered: ErrorOutcome | undefined;
  /** The number of the latest request to the server ({@link JsonRpcClient.send}). */
  #requestNumber: number | undefined;
  /** With 2025-11-25: the id of the task that the call has become. */
  #taskId: string | undefined;
  #end: End | undefined;
  #isCancelled = false;
  #channel: CallChannel | undefined;
  #round: Waiter | undefined;

  constructor(rpc: JsonRpcClient, options: ForwardedRequestOptions) {
    this.#rpc = rpc;
    this.#options = options;
  }

  /** The prefix of the keys of the questions. The next round finds the request by this id, so nobody must guess it. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  /** The channel of the call that waits now; undefined between two rounds. */
  get channel(): CallChannel | undefined {
    return this.#channel;
  }

  /**
   * The outcome of an unanswered question, if that question made the request fail. A server that continues without an
   * answer may fail for another reason; its failure then does not repeat the message that it got.
   * @param failure the server's error or failed result
   */
  unansweredIn(failure: unknown): ErrorOutcome | undefined {
    const [error] = this.#unanswered?.errors ?? [];
    if (error?.code !== 'CAPABILITY_NOT_AVAILABLE') return this.#unanswered;
    const message = JSON.stringify(error.message).slice(1, -1);
    return JSON.stringify(failure).includes(message) ? this.#unanswered : undefined;
  }

  /** True if the request has this method and these params, so that a repeated call can continue it. */
  isFor(method: string, params: JsonObject): boolean {
    return method === this.#options.method && JSON.stringify(params) === JSON.stringify(this.#options.params);
  }

  /** Runs one round. @throws the errors of {@link ResponseHandler.onError}, and UnansweredError */
  round(channel: CallChannel): Promise<RoundEnd> {
    this.#channel = channel;
    onAbort(channel, () => {
      if (this.#channel === channel) this.cancel();
    });
    return new Promise((resolve, reject) => {
      this.#round = { resolve, reject };
      const checks = this.#questions.map((question) => this.#put(question));
      const end = this.#end;
      // If the request has ended meanwhile, deliver the answers to its open questions first.
      if (end) void Promise.all(checks).then(() => this.#finish(end));
      else if (this.#requestNumber === undefined) this.#request(this.#options.params);
    });
  }

  /** Asks the client of the call. @throws UnansweredError, or RpcError with the client's error or for too many questions */
  ask(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    // This limit also holds between two rounds, when no call limits its questions.
    const keys = [...this.#questions.map((question) => question.requests), requests].flatMap(Object.keys);
    if (keys.length > MAX_OPEN_QUESTIONS)
      return Promise.reject(rpcRejection(`A call can have ${MAX_OPEN_QUESTIONS} open questions at most`));
    const round = this.#questionCount++;
    const keyOf = (key: string) => `${this.id}:${round}:${key}`;
    const keyed = Object.entries(requests).map(([key, request]) => [keyOf(key), request] as const);
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      const question = { requests: Object.fromEntries(keyed), resolve, reject };
      this.#questions.push(question);
      this.#put(question);
    }).then((answers) => Object.fromEntries(Object.keys(requests).map((key) => [key, answers[keyOf(key)]])));
  }

  cancel(): void {
    this.#isCancelled = true;
    if (this.#taskId !== undefined)
      this.#rpc.send('tasks/cancel', { taskId: this.#taskId }, { onResult() {}, onError() {} });
    if (this.#requestNumber !== undefined) this.#rpc.cancel(this.#requestNumber);
    this.#rejectQuestions(() => new CallAbandonedError('The call was ended'));
    this.#options.onCancelled();
  }

  onResult(result: JsonObject): void {
    const { resultType = 'complete', task } = result;
    if (
      this.#options.params.task &&
      this.#taskId === undefined &&
      isJsonObject(task) &&
      typeof task.taskId === 'string'
    ) {
      this.#taskId = task.taskId;
      this.#requestNumber = this.#rpc.send('tasks/result', { taskId: task.taskId }, this);
      return;
    }
    if (resultType === 'input_required') void this.#continueWithAnswers(result);
    else if (resultType === 'complete') this.#finish({ result });
    else
      this.#finish({
        error: new MissingResultError(`The server returned a result of the unknown type ${quoted(resultType)}`),
      });
  }

  /** If the error asks for pages to be opened, a client that answers by calling again (2026-07-28) is asked to open them. */
  onError(error: unknown): void {
    const pages = this.#channel?.inputMode === 'retry' ? urlQuestions(error) : undefined;
    if (pages) void this.#openPages(pages, error);
    else this.#finish({ error });
  }

  async #openPages(pages: Record<string, InputRequest>, refusal: unknown): Promise<void> {
    try {
      const answers = await this.ask(pages);
      const areOpen = Object.values(answers).every((answer) => isJsonObject(answer) && answer.action === 'accept');
      if (this.#isCancelled) throw new CallAbandonedError('The call was ended');
      if (!areOpen) throw refusal;
      this.#request(this.#options.params);
    } catch (error) {
      this.#finish({ error });
    }
  }

  #request(params: JsonObject): void {
    const { method, headers, metaFor } = this.#options;
    const capabilities = this.#rpc.isModern && this.#channel ? questionCapabilities(this.#channel) : undefined;
    const wantsProgress = this.#channel?.wantsProgress !== false;
    const meta = this.#channel && metaFor(this.#channel);
    this.#requestNumber = this.#rpc.send(method, params, this, { headers, capabilities, wantsProgress, meta });
  }

  /** Asks the questions of an `input_required` result (2026-07-28), and repeats the request with the answers. */
  async #continueWithAnswers({ inputRequests, requestState }: JsonObject): Promise<void> {
    try {
      const requests = parseQuestions(inputRequests);
      const hasQuestions = Object.keys(requests).length > 0;
      if (!hasQuestions) await delay(REPEAT_PAUSE_MS);
      if (this.#isCancelled) throw new CallAbandonedError('The call was ended');
      const inputResponses = hasQuestions ? ((await this.ask(requests)) as JsonObject) : {};
      const state: JsonObject = requestState === undefined ? {} : { requestState };
      this.#request({ ...this.#options.params, inputResponses, ...state });
    } catch (error) {
      this.#finish({ error });
    }
  }

  /** Ends the round. If no call waits, the end is kept for the next round. */
  #finish(end: End): void {
    this.#end = end;
    const mode = this.#channel?.inputMode;
    const round = this.#endRound();
    if (!round) return;
    if ('result' in end) round.resolve({ kind: 'result', result: end.result });
    else round.reject(end.error);
    if (mode === 'retry') this.#rejectQuestions(() => rpcRejection('The call whose client was asked has ended'));
  }

  /** Rejects the open questions. The error is made lazily, because most calls have none and an error is slow to make. */
  #rejectQuestions(reason: () => Error): void {
    for (const question of this.#questions) question.reject(reason());
    this.#questions = [];
  }

  #endRound(): Waiter | undefined {
    const round = this.#round;
    this.#round = undefined;
    this.#channel = undefined;
    return round;
  }

  onProgress({ progress, total, message }: JsonObject): void {
    const report = toProgressReport({ done: progress, total, message });
    if (report) this.#channel?.progress(report);
  }

  /** Puts a question to the client of the call. @returns a promise if the call has brought answers, which are checked first */
  #put(question: Question): Promise<void> | undefined {
    const channel = this.#channel;
    if (!channel) return undefined;
    const { requests } = question;
    const settle = (settleIt: () => void) => {
      if (!this.#questions.includes(question)) return;
      this.#questions = this.#questions.filter((item) => item !== question);
      settleIt();
    };
    const fail = (error: Error) =>
      settle(() => {
        if (error instanceof QuestionRefusedError) this.#unanswered = normaliseThrown(error);
        const unanswered = error instanceof QuestionRefusedError ? this.#unanswered : undefined;
        question.reject(unanswered ? new UnansweredError(unanswered) : rpcRejection(error.message));
      });
    const take = (answers: Readonly<Record<string, unknown>>) =>
      checkAnswers(requests, answers).then((checked) => settle(() => question.resolve(checked)), fail);
    const missing = missingCapability(Object.values(requests), channel.clientCapabilities);
    if (missing) {
      this.#unanswered = missing;
      settle(() => question.reject(new UnansweredError(missing)));
    } else if (Object.keys(requests).every((key) => isJsonObject(channel.answers[key]))) {
      return take(channel.answers);
    } else if (channel.inputMode === 'ask') {
      channel.requestInput(requests).then(take, fail);
    } else setImmediate(() => this.#endWithQuestions(channel));
  }

  /** Ends the round with all questions of one turn of the event loop. */
  #endWithQuestions(channel: CallChannel): void {
    if (this.#channel !== channel || this.#questions.length === 0) return;
    const requests = Object.assign({}, ...this.#questions.map((question) => question.requests));
    this.#endRound()?.resolve({ kind: 'input_required', requests });
  }
}

/** Checks the answers to these requests, and leaves out all others. @throws QuestionRefusedError ANSWER_INVALID */
async function checkAnswers(
  requests: Record<string, InputRequest>,
  answers: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const checked = Object.entries(requests).map(async ([key, request]) => {
    const name = String(request.params.message ?? request.method).slice(0, MAX_NAME_CHARS);
    return [key, await checkAnswer(name, request, answers[key])] as const;
  });
  return Object.fromEntries(await Promise.all(checked));
}

/** @throws RpcError if MCP has no such request, or the request is malformed */
export function parseRequest(method: unknown, value: unknown): InputRequest {
  if (!isInputMethod(method)) throw notFound(`The server sent the unsupported request '${String(method)}'`);
  const request = { method, params: questionParams(isJsonObject(value) ? value : {}) };
  if (!isInputRequest(request)) throw invalid(`The server's request '${method}' is malformed`);
  return request;
}

/** Removes the members that concern only the connection to the server, and adds the id that a client of 2025-11-25 needs. */
function questionParams({ _meta, task: _, ...params }: JsonObject): JsonObject {
  const meta = passedMeta(_meta);
  const needsId = params.mode === 'url' && params.elicitationId === undefined;
  return { ...params, ...(needsId && { elicitationId: randomUUID() }), ...(meta && { _meta: meta }) };
}

/** @throws MissingResultError if the result has a question that no client can be asked */
function parseQuestions(value: unknown): Record<string, InputRequest> {
  try {
    return parseRequests(value);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new MissingResultError(error.message);
  }
}

/** Quotes a string. Of any other value it names only the type, because its JSON could be nested too deeply. */
const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : typeof value;

function parseRequests(value: unknown): Record<string, InputRequest> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.map(([key, request]) => {
      const { method, params } = isJsonObject(request) ? request : {};
      return [key, parseRequest(method, params)];
    }),
  );
}

/** Returns the capabilities of the waiting client that concern questions; undefined if it has none. */
function questionCapabilities({ clientCapabilities }: CallChannel): CallChannel['clientCapabilities'] | undefined {
  const { elicitation, sampling, roots } = clientCapabilities;
  if (!elicitation && !sampling && !roots) return undefined;
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }), ...(roots && { roots }) };
}
