import { type Signal, signal } from '@preact/signals';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { ConnectionError, RpcError } from '../rpc/mcp-client.js';
import { request } from './connection.js';
import { recordRun } from './history.js';
import type { Answer, Question, Run } from './run.js';
import type { CallResult, Tool } from './types.js';

/** The latest run of each tool. */
const latest = new Map<string, Signal<Run | undefined>>();
const controllers = new Map<string, AbortController>();
const waiting = new Map<string, (answers: ReadonlyMap<string, Answer>) => void>();
const MAX_LOG_LINES = 5_000;

export function latestRun(tool: string): Signal<Run | undefined> {
  const known = latest.get(tool) ?? signal<Run | undefined>(undefined);
  latest.set(tool, known);
  return known;
}

export function cancelRun(run: Run): void {
  controllers.get(run.id)?.abort();
  waiting.delete(run.id);
}

/** Continues a run with the answers to its questions. */
export function answerQuestions(run: Run, answers: ReadonlyMap<string, Answer>): void {
  waiting.get(run.id)?.(answers);
  waiting.delete(run.id);
}

/** Calls a tool, and answers its questions with what the person enters. Never rejects. */
export async function startRun(tool: Tool, args: JsonObject): Promise<void> {
  const shown = latestRun(tool.name);
  const id = crypto.randomUUID();
  const begin = performance.now();
  const controller = new AbortController();
  controllers.set(id, controller);
  let run: Run = {
    id,
    tool: tool.name,
    args,
    startedAt: Date.now(),
    state: 'running',
    log: [],
    exchanges: [],
    questions: [],
  };
  const update = (changes: Partial<Run>) => {
    run = { ...run, ...changes };
    if (shown.value === undefined || shown.value.id === id || changes.id === id) shown.value = run;
  };
  update({ id });
  try {
    const result = await callUntilComplete(tool, args, controller.signal, () => run, update, begin);
    update({ state: 'done', result: result as unknown as CallResult, elapsedMs: performance.now() - begin });
  } catch (error) {
    update({ ...endOf(error, controller.signal), elapsedMs: performance.now() - begin, questions: [] });
  } finally {
    controllers.delete(id);
    void recordRun(tool, run);
  }
}

async function callUntilComplete(
  tool: Tool,
  args: JsonObject,
  signal: AbortSignal,
  current: () => Run,
  update: (changes: Partial<Run>) => void,
  begin: number,
): Promise<JsonObject> {
  let round: JsonObject = {};
  for (;;) {
    const earlier = current().exchanges;
    const result = await request(
      'tools/call',
      { name: tool.name, arguments: args, ...round },
      {
        signal,
        logLevel: 'debug',
        inputSchema: tool.inputSchema,
        onExchange: (exchange) => update({ exchanges: [...earlier, exchange] }),
        onNotification: (method, params) => update(changesBy(method, params, current(), performance.now() - begin)),
      },
    );
    if (result.resultType !== 'input_required') return result;
    const questions = questionsIn(result);
    update({ state: 'waiting', questions });
    const answers = await answersTo(current().id, signal);
    update({ state: 'running', questions: [] });
    round = {
      inputResponses: Object.fromEntries(
        questions.map(({ key }) => [key, (answers.get(key) ?? { action: 'cancel' }) as unknown as Json]),
      ),
      ...(result.requestState !== undefined && { requestState: result.requestState }),
    };
  }
}

function changesBy(method: string, params: JsonObject, run: Run, atMs: number): Partial<Run> {
  if (method === 'notifications/progress') {
    const { progress, total, message } = params;
    return {
      progress: {
        progress: Number(progress),
        ...(typeof total === 'number' && { total }),
        ...(typeof message === 'string' && { message }),
      },
    };
  }
  if (method !== 'notifications/message') return {};
  const line = {
    level: String(params.level),
    data: params.data ?? null,
    atMs,
    ...(typeof params.logger === 'string' && { logger: params.logger }),
  };
  return { log: [...run.log.slice(-MAX_LOG_LINES), line] };
}

function questionsIn({ inputRequests }: JsonObject): Question[] {
  if (!isObject(inputRequests)) return [];
  return Object.entries(inputRequests).map(([key, value]) => ({
    key,
    method: isObject(value) ? String(value.method) : '',
    params: isObject(value) && isObject(value.params) ? value.params : {},
  }));
}

function answersTo(id: string, signal: AbortSignal): Promise<ReadonlyMap<string, Answer>> {
  return new Promise((resolve, reject) => {
    waiting.set(id, resolve);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function endOf(error: unknown, signal: AbortSignal): Partial<Run> {
  if (signal.aborted) return { state: 'cancelled' };
  if (error instanceof RpcError) {
    return {
      state: 'failed',
      failure: { message: error.message, code: error.code, ...(error.data !== undefined && { data: error.data }) },
    };
  }
  const message =
    error instanceof ConnectionError ? `${error.message} The call may still have had an effect.` : String(error);
  return { state: 'failed', failure: { message } };
}
