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

/** Before a server is asked again that has no question, and only wants to be, in milliseconds. */
const AGAIN_MS = 500;
/** Of the question that an error names: its key is an id of ours. */
const MAX_NAME_CHARS = 80;

/** How one round of an exchange ends: with the server's result, or with questions that the client answers by calling again. */
export type RoundEnd = { kind: 'result'; result: JsonObject } | InputRequiredOutcome;

/** The question of the server has no answer that it can have: the client cannot answer it, or not as it was asked. */
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
  /** Over HTTP. */
  readonly headers?: Record<string, string> | undefined;
  /** The call was cancelled, and the server was notified. */
  onCancelled(): void;
}

interface Waiter {
  resolve(end: RoundEnd): void;
  reject(error: unknown): void;
}

type End = { result: JsonObject } | { error: unknown };

/**
 * One request to a mounted server with the questions that the server asks during it. A client that can only answer by
 * calling again (2026-07-28) does so in another round; the request keeps waiting until then, so that nothing is done twice.
 */
export class ForwardedRequest implements ResponseHandler {
  readonly #rpc: JsonRpcClient;
  readonly #options: ForwardedRequestOptions;
  #id: string | undefined;
  #questions: Question[] = [];
  #questionCount = 0;
  #unanswered: ErrorOutcome | undefined;
  /** The number of the request that was sent last. */
  #sent: number | undefined;
  /** 2025-11-25: the task that the call has become; its result is waited for. */
  #taskId: string | undefined;
  #end: End | undefined;
  #isCancelled = false;
  #channel: CallChannel | undefined;
  #round: Waiter | undefined;

  constructor(rpc: JsonRpcClient, options: ForwardedRequestOptions) {
    this.#rpc = rpc;
    this.#options = options;
  }

  /** The prefix of the keys of its questions, by which the next round finds it; it cannot be guessed. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  /** The call that waits for it now; undefined between two rounds. */
  get channel(): CallChannel | undefined {
    return this.#channel;
  }

  /**
   * Why the request failed, if that is a question without an answer. A server that continues although its client cannot answer
   * may fail for another reason: then it does not repeat what it was told.
   * @param failure what the server says
   */
  unansweredIn(failure: unknown): ErrorOutcome | undefined {
    const [error] = this.#unanswered?.errors ?? [];
    if (error?.code !== 'CAPABILITY_NOT_AVAILABLE') return this.#unanswered;
    const message = JSON.stringify(error.message).slice(1, -1);
    return JSON.stringify(failure).includes(message) ? this.#unanswered : undefined;
  }

  isFor(method: string, params: JsonObject): boolean {
    return method === this.#options.method && JSON.stringify(params) === JSON.stringify(this.#options.params);
  }

  /** Rejects with what the peer's requests end with, and with UnansweredError. */
  round(channel: CallChannel): Promise<RoundEnd> {
    this.#channel = channel;
    onAbort(channel, () => {
      if (this.#channel === channel) this.cancel();
    });
    return new Promise((resolve, reject) => {
      this.#round = { resolve, reject };
      const checks = this.#questions.map((question) => this.#put(question));
      const end = this.#end;
      // Answers to questions of a request that has ended meanwhile still reach the server.
      if (end) void Promise.all(checks).then(() => this.#finish(end));
      else if (this.#sent === undefined) this.#request(this.#options.params);
    });
  }

  /** Asks the waiting caller. @throws UnansweredError, the client's error response, or RpcError if too many are open */
  ask(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    // Between two rounds no call limits them.
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
    if (this.#sent !== undefined) this.#rpc.cancel(this.#sent);
    this.#drop(() => new CallAbandonedError('The call was ended'));
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
      this.#sent = this.#rpc.send('tasks/result', { taskId: task.taskId }, this);
      return;
    }
    if (resultType === 'input_required') void this.#goOn(result);
    else if (resultType === 'complete') this.#finish({ result });
    else
      this.#finish({
        error: new MissingResultError(`The server returned a result of the unknown type ${quoted(resultType)}`),
      });
  }

  /** A client that answers by calling again (2026-07-28) is asked to open the pages that the error is about. */
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
    const { method, headers } = this.#options;
    const capabilities = this.#rpc.isModern && this.#channel ? askable(this.#channel) : undefined;
    const isWatched = this.#channel?.wantsProgress !== false;
    const meta = passedMeta(this.#channel?.meta);
    this.#sent = this.#rpc.send(method, params, this, { headers, capabilities, isWatched, meta });
  }

  /** The server's result is a question (2026-07-28): the request again, with the answers. */
  async #goOn({ inputRequests, requestState }: JsonObject): Promise<void> {
    try {
      const requests = parseQuestions(inputRequests);
      const hasQuestions = Object.keys(requests).length > 0;
      if (!hasQuestions) await delay(AGAIN_MS);
      if (this.#isCancelled) throw new CallAbandonedError('The call was ended');
      const inputResponses = hasQuestions ? ((await this.ask(requests)) as JsonObject) : {};
      const state: JsonObject = requestState === undefined ? {} : { requestState };
      this.#request({ ...this.#options.params, inputResponses, ...state });
    } catch (error) {
      this.#finish({ error });
    }
  }

  /** Kept for the next round if no call waits. After the last round no client calls again to answer a question. */
  #finish(end: End): void {
    this.#end = end;
    const mode = this.#channel?.inputMode;
    const round = this.#endRound();
    if (!round) return;
    if ('result' in end) round.resolve({ kind: 'result', result: end.result });
    else round.reject(end.error);
    if (mode === 'retry') this.#drop(() => rpcRejection('The call whose client was asked has ended'));
  }

  /** Mostly there is none; an error takes longer to make than the rest of the end of a call. */
  #drop(reason: () => Error): void {
    for (const question of this.#questions) question.reject(reason());
    this.#questions = [];
  }

  #endRound(): Waiter | undefined {
    const round = this.#round;
    this.#round = undefined;
    this.#channel = undefined;
    return round;
  }

  /** In the unit of the server. */
  onProgress({ progress, total, message }: JsonObject): void {
    const report = toProgressReport({ done: progress, total, message });
    if (report) this.#channel?.progress(report);
  }

  /** Resolves when answers that the call has brought are checked; undefined if it has brought none. */
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

  /** Those of one turn of the event loop together. */
  #endWithQuestions(channel: CallChannel): void {
    if (this.#channel !== channel || this.#questions.length === 0) return;
    const requests = Object.assign({}, ...this.#questions.map((question) => question.requests));
    this.#endRound()?.resolve({ kind: 'input_required', requests });
  }
}

/** @throws QuestionRefusedError ANSWER_INVALID. What of the answers no request asks is left out. */
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

/** @throws RpcError for a request that is none of MCP's three, or has not what it must have */
export function parseRequest(method: unknown, value: unknown): InputRequest {
  if (!isInputMethod(method)) throw notFound(`The server sent the unsupported request '${String(method)}'`);
  const request = { method, params: questionParams(isJsonObject(value) ? value : {}) };
  if (!isInputRequest(request)) throw invalid(`The server's request '${method}' is malformed`);
  return request;
}

/** Without what concerns the connection to the server alone, and with what a client of 2025-11-25 needs and 2026-07-28 does not have. */
function questionParams({ _meta, task: _, ...params }: JsonObject): JsonObject {
  const meta = passedMeta(_meta);
  const needsId = params.mode === 'url' && params.elicitationId === undefined;
  return { ...params, ...(needsId && { elicitationId: randomUUID() }), ...(meta && { _meta: meta }) };
}

/** @throws MissingResultError where what the result asks is not what a client can be asked */
function parseQuestions(value: unknown): Record<string, InputRequest> {
  try {
    return parseRequests(value);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new MissingResultError(error.message);
  }
}

/** JSON of anything else could be nested too deeply to be written. */
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

/** What the client that waits can be asked; undefined when that is nothing. */
function askable({ clientCapabilities }: CallChannel): CallChannel['clientCapabilities'] | undefined {
  const { elicitation, sampling, roots } = clientCapabilities;
  if (!elicitation && !sampling && !roots) return undefined;
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }), ...(roots && { roots }) };
}
