import { isObject, type JsonObject } from '../json/json.js';
import { ConnectionError, type Exchange, RpcError } from '../rpc/mcp-client.js';
import { request, untilConnected } from './connection.js';
import type { LiveRun } from './live-run.js';
import { inputResponses, onAnswers, questionsIn } from './questions.js';
import type { Run } from './run.js';

const DEFAULT_POLL_MS = 1_000;
const INVALID_PARAMS = -32602;

/** Thrown if the server has no task with this id that belongs to the page's access key. */
export class TaskLostError extends Error {
  override readonly name = 'TaskLostError';
}

export class TaskCancelledError extends Error {
  override readonly name = 'TaskCancelledError';
}

/**
 * Polls a task and updates its run until the task has ended. Waits while the connection is interrupted.
 * @returns the result of the task's call
 * @throws RpcError if the task has failed, TaskCancelledError, TaskLostError
 */
export async function followTask(run: LiveRun, taskId: string): Promise<JsonObject> {
  const earlierExchanges = run.current.exchanges;
  const onExchange = (exchange: Exchange) => run.update({ exchanges: [...earlierExchanges, exchange] });
  for (;;) {
    const task = await readTask(taskId, onExchange);
    if (task && task.status !== 'working' && task.status !== 'input_required') {
      const elapsedMs = Date.parse(String(task.lastUpdatedAt)) - run.current.startedAt;
      if (elapsedMs >= 0) run.update({ elapsedMs });
    }
    if (task?.status === 'completed') return isObject(task.result) ? task.result : {};
    if (task?.status === 'cancelled') throw new TaskCancelledError(String(task.statusMessage ?? ''));
    if (task?.status === 'failed') throw errorOf(task);
    if (task) showProgress(run, taskId, task);
    await new Promise((resolve) => setTimeout(resolve, Number(task?.pollIntervalMs ?? DEFAULT_POLL_MS)));
  }
}

/**
 * Asks the server to cancel the task. The page continues to follow the task, and shows whether it was cancelled.
 * @throws RpcError, ConnectionError
 */
export async function cancelTask(taskId: string): Promise<void> {
  await request('tasks/cancel', { taskId }, { knowsTasks: true });
}

/** Waits for the connection, then reads a task. @returns undefined if the connection fails @throws RpcError, TaskLostError */
async function readTask(taskId: string, onExchange: (exchange: Exchange) => void): Promise<JsonObject | undefined> {
  await untilConnected();
  try {
    return await request('tasks/get', { taskId }, { knowsTasks: true, onExchange });
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    if (error instanceof RpcError && error.code === INVALID_PARAMS) throw new TaskLostError();
    throw error;
  }
}

/** Shows the progress of a task that has not ended, or the questions that it waits for. */
function showProgress(run: LiveRun, taskId: string, task: JsonObject): void {
  const questions = task.status === 'input_required' ? questionsIn(task) : [];
  const isSame = questions.map(({ key }) => key).join() === run.current.questions.map(({ key }) => key).join();
  run.update({
    state: questions.length > 0 ? 'waiting' : 'running',
    ...(!isSame && { questions }),
    ...(typeof task.statusMessage === 'string' && { progress: progressIn(task.statusMessage) }),
  });
  if (questions.length === 0 || isSame) return;
  onAnswers(run.current, (answers) => {
    run.update({ state: 'running', questions: [] });
    // If the answers do not arrive, the task still has its questions, and the next poll shows them again.
    const params = { taskId, inputResponses: inputResponses(questions, answers) };
    void request('tasks/update', params, { knowsTasks: true }).catch(() => {});
  });
}

/** Parses the progress in a task's status message, such as `40 %: Testing` (docs/spec/protocol.md#tasks-status). */
function progressIn(statusMessage: string): NonNullable<Run['progress']> {
  const [, percent, message] = /^(\d+) %(?:: (.*))?$/s.exec(statusMessage) ?? [];
  if (percent === undefined) return { progress: 0, message: statusMessage };
  return { progress: Number(percent), total: 100, ...(message !== undefined && { message }) };
}

function errorOf({ error, statusMessage }: JsonObject): Error {
  if (!isObject(error)) return new Error(String(statusMessage ?? 'The task has failed.'));
  return new RpcError(Number(error.code), String(error.message), error.data);
}
