import type { Json, JsonObject } from '../json/json.js';
import { ConnectionError, RpcError } from '../rpc/mcp-client.js';
import { request } from './connection.js';
import { cancelTask, followTask, TaskCancelledError, TaskLostError } from './follow-task.js';
import { argumentsWithoutSecrets } from './forms.js';
import { LiveRun, latestRun, listTask, showRun, unlistTask } from './live-run.js';
import { dropQuestions, inputResponses, onAnswers, questionsIn } from './questions.js';
import type { Answer, Run } from './run.js';
import { forgetTask, type StoredTask, storedTasks, storeTask } from './stored-tasks.js';
import type { CallResult, Tool } from './types.js';

/** Of the runs whose call is not answered. */
const controllers = new Map<string, AbortController>();
const live = new Map<string, LiveRun>();
const MAX_LOG_LINES = 5_000;

/** Ends a call, or asks for the end of its task. */
export function cancelRun(run: Run): void {
  if (run.task) {
    live.get(run.id)?.update({ task: { ...run.task, isCancelling: true }, state: 'running', questions: [] });
    void cancelTask(run);
    return;
  }
  controllers.get(run.id)?.abort();
  dropQuestions(run);
}

/** Calls a tool, and answers its questions with what the person enters. Never rejects. */
export async function startRun(tool: Tool, args: JsonObject): Promise<void> {
  const run = begin({ id: crypto.randomUUID(), tool: tool.name, args, startedAt: Date.now() });
  showRun(run);
  const kept = argumentsWithoutSecrets(tool, args);
  const controller = new AbortController();
  const { id } = run.current;
  controllers.set(id, controller);
  const result = callUntilComplete(tool, args, controller.signal, run).finally(() => controllers.delete(id));
  await end(
    run,
    kept,
    controller.signal,
    result.then((answer) => (answer.resultType === 'task' ? continueAsTask(run, String(answer.taskId), kept) : answer)),
  );
}

/** The tasks that this tab had before the page was loaded again. */
export function resumeTasks(): void {
  for (const task of storedTasks()) void resumeTask(task);
}

async function resumeTask({ taskId, id, tool, args, startedAt }: StoredTask): Promise<void> {
  const run = begin({ id, tool, args, startedAt });
  run.update({ task: { taskId } });
  listTask(run);
  if (latestRun(tool) === undefined) showRun(run);
  await end(run, args, undefined, followTask(run, taskId));
}

/** A task of this list is no longer shown. */
export function removeTask(run: Run): void {
  if (run.task) forgetTask(run.task.taskId);
  unlistTask(run);
}

function begin(origin: Pick<Run, 'id' | 'tool' | 'args' | 'startedAt'>): LiveRun {
  const run = new LiveRun({ ...origin, state: 'running', log: [], exchanges: [], questions: [] });
  live.set(origin.id, run);
  return run;
}

function continueAsTask(run: LiveRun, taskId: string, kept: Json): Promise<JsonObject> {
  run.update({ task: { taskId } });
  listTask(run);
  void storeTask(run.current, taskId, kept);
  return followTask(run, taskId);
}

/** Shows what came of the call. */
async function end(
  run: LiveRun,
  kept: Json,
  signal: AbortSignal | undefined,
  result: Promise<JsonObject>,
): Promise<void> {
  const change = await result.then(
    (value): Partial<Run> => ({ state: 'done', result: value as unknown as CallResult }),
    (error: unknown) => endOf(error, signal),
  );
  const elapsedMs = run.current.elapsedMs ?? Date.now() - run.current.startedAt;
  run.update({ ...change, elapsedMs, questions: [] });
  live.delete(run.current.id);
  const { recordRun } = await import('./history.js');
  await recordRun(run.current, kept);
}

async function callUntilComplete(tool: Tool, args: JsonObject, signal: AbortSignal, run: LiveRun): Promise<JsonObject> {
  const start = performance.now();
  let round: JsonObject = {};
  for (;;) {
    const earlier = run.current.exchanges;
    const result = await request(
      'tools/call',
      { name: tool.name, arguments: args, ...round },
      {
        signal,
        knowsTasks: true,
        logLevel: 'debug',
        inputSchema: tool.inputSchema,
        onExchange: (exchange) => run.update({ exchanges: [...earlier, exchange] }),
        onNotification: (method, params) =>
          run.update(changesBy(method, params, run.current, performance.now() - start)),
      },
    );
    if (result.resultType !== 'input_required') return result;
    const questions = questionsIn(result);
    run.update({ state: 'waiting', questions });
    const answers = await answersTo(run.current, signal);
    run.update({ state: 'running', questions: [] });
    round = {
      inputResponses: inputResponses(questions, answers),
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

function answersTo(run: Run, signal: AbortSignal): Promise<ReadonlyMap<string, Answer>> {
  return new Promise((resolve, reject) => {
    onAnswers(run, resolve);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function endOf(error: unknown, signal: AbortSignal | undefined): Partial<Run> {
  if (signal?.aborted || error instanceof TaskCancelledError) return { state: 'cancelled' };
  if (error instanceof RpcError) {
    return {
      state: 'failed',
      failure: { message: error.message, code: error.code, ...(error.data !== undefined && { data: error.data }) },
    };
  }
  return { state: 'failed', failure: { message: failureText(error) } };
}

function failureText(error: unknown): string {
  if (error instanceof ConnectionError) return `${error.message} The call may still have had an effect.`;
  if (error instanceof TaskLostError) {
    return 'The server no longer has this task: it was restarted, or the result was kept for its time. The call may still have had an effect.';
  }
  return String(error);
}
