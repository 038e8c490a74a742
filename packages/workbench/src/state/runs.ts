import type { Json, JsonObject } from '../json/json.js';
import { ConnectionError, RpcError } from '../rpc/mcp-client.js';
import { messageOf } from '../rpc/message-of.js';
import { request } from './connection.js';
import { cancelTask, followTask, TaskCancelledError, TaskLostError } from './follow-task.js';
import { argumentsWithoutSecrets } from './forms.js';
import { LiveRun, latestRun, listTask, showRun, unlistTask } from './live-run.js';
import { dropQuestions, inputResponses, onAnswers, questionsIn } from './questions.js';
import type { Answer, Run } from './run.js';
import { forgetTask, type StoredTask, storedTasks, storeTask } from './stored-tasks.js';
import type { CallResult, Tool } from './types.js';

/** Abort controllers of the calls that the server has not answered, by the id of the run. */
const controllers = new Map<string, AbortController>();
/** Runs that have not ended, by id. */
const liveRuns = new Map<string, LiveRun>();
const MAX_LOG_LINES = 5_000;

/** Aborts a call; if it has become a task, asks the server to cancel the task. */
export function cancelRun(run: Run): void {
  if (run.task) {
    const { taskId } = run.task;
    liveRuns.get(run.id)?.update({ task: { taskId, isCancelling: true }, state: 'running', questions: [] });
    dropQuestions(run);
    cancelTask(taskId).catch((error) =>
      liveRuns.get(run.id)?.update({ task: { taskId, cancelError: messageOf(error) } }),
    );
    return;
  }
  controllers.get(run.id)?.abort();
  dropQuestions(run);
}

/** Calls a tool, asks the user the questions of the call, and shows the result. Never rejects. */
export async function startRun(tool: Tool, args: JsonObject): Promise<void> {
  const run = begin({ id: crypto.randomUUID(), tool: tool.name, args, startedAt: Date.now() });
  showRun(run);
  const storableArgs = argumentsWithoutSecrets(tool, args);
  const controller = new AbortController();
  const { id } = run.current;
  controllers.set(id, controller);
  const result = callUntilComplete(tool, args, controller.signal, run).finally(() => controllers.delete(id));
  await end(
    run,
    storableArgs,
    controller.signal,
    result.then((answer) =>
      answer.resultType === 'task' ? continueAsTask(run, String(answer.taskId), storableArgs) : answer,
    ),
  );
}

/** Follows the tasks that this tab had before the page was reloaded. */
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

/** Removes a task from the list of tasks. The server's task does not change. */
export function removeTask(run: Run): void {
  if (run.task) forgetTask(run.task.taskId);
  unlistTask(run);
}

function begin(origin: Pick<Run, 'id' | 'tool' | 'args' | 'startedAt'>): LiveRun {
  const run = new LiveRun({ ...origin, state: 'running', log: [], exchanges: [], questions: [] });
  liveRuns.set(origin.id, run);
  return run;
}

function continueAsTask(run: LiveRun, taskId: string, storableArgs: Json): Promise<JsonObject> {
  run.update({ task: { taskId } });
  listTask(run);
  void storeTask(run.current, taskId, storableArgs);
  return followTask(run, taskId);
}

/**
 * Waits for the result of a run, shows it, and adds the run to the history.
 * @param storableArgs the arguments without the values of secret fields
 */
async function end(
  run: LiveRun,
  storableArgs: Json,
  signal: AbortSignal | undefined,
  result: Promise<JsonObject>,
): Promise<void> {
  const change = await result.then(
    (value): Partial<Run> => ({ state: 'done', result: value as unknown as CallResult }),
    (error: unknown) => endOf(error, signal),
  );
  const elapsedMs = run.current.elapsedMs ?? Date.now() - run.current.startedAt;
  run.update({ ...change, elapsedMs, questions: [] });
  liveRuns.delete(run.current.id);
  const { recordRun } = await import('./history.js');
  await recordRun(run.current, storableArgs);
}

/** Calls the tool again with the answers to its questions, until the result has no further questions. */
async function callUntilComplete(tool: Tool, args: JsonObject, signal: AbortSignal, run: LiveRun): Promise<JsonObject> {
  const startMs = performance.now();
  let continuation: JsonObject = {};
  for (;;) {
    const earlierExchanges = run.current.exchanges;
    const result = await request(
      'tools/call',
      { name: tool.name, arguments: args, ...continuation },
      {
        signal,
        knowsTasks: true,
        logLevel: 'debug',
        inputSchema: tool.inputSchema,
        onExchange: (exchange) => run.update({ exchanges: [...earlierExchanges, exchange] }),
        onNotification: (method, params) =>
          run.update(changesBy(method, params, run.current, performance.now() - startMs)),
      },
    );
    if (result.resultType !== 'input_required') return result;
    const questions = questionsIn(result);
    run.update({ state: 'waiting', questions });
    const answers = await answersTo(run.current, signal);
    run.update({ state: 'running', questions: [] });
    continuation = {
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

/** The final state of a run whose call or task has failed or was cancelled. */
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
    return 'The server no longer has this task: it was restarted, or the task has expired. The call may still have had an effect.';
  }
  return String(error);
}
