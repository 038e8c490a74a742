import type { Params } from '../json-rpc/messages.js';
import { missingCapability, RpcError } from '../json-rpc/rpc-error.js';
import type { ParamsOf, TaskMethod } from '../protocol/methods.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { Result, Results } from '../protocol/types.js';
import type { Generation } from '../protocol/versions.js';
import type { TaskTable } from '../tasks/task-table.js';
import type { RequestContext } from './request-context.js';
import type { PreparedResult } from './result-writer.js';

/** @throws RpcError −32021 for a client that did not declare the extension */
export function requireTasks(context: RequestContext): void {
  if (!context.knowsTasks) throw missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
}

type TaskHandler<M extends TaskMethod> = (
  params: ParamsOf<M>,
  context: RequestContext,
  server: { readonly tasks: TaskTable | undefined },
) => Promise<Results[M]>;

/** The methods of the tasks extension, for a server that has tasks. */
export const TASK_METHODS: { readonly [M in TaskMethod]: TaskHandler<M> } = {
  async 'tasks/get'({ taskId }, context, { tasks }) {
    requireTasks(context);
    return tasks!.get(taskId, context);
  },

  async 'tasks/update'({ taskId, inputResponses }, context, { tasks }) {
    requireTasks(context);
    await tasks!.update(taskId, context, inputResponses);
    return {};
  },

  async 'tasks/cancel'({ taskId }, context, { tasks }) {
    requireTasks(context);
    await tasks!.cancel(taskId, context);
    return {};
  },
};

/** Converts results and errors to the form in which they are sent. */
interface Writer {
  resultJson(result: Result | PreparedResult, method: string, generation: Generation): string;
  errorObject(error: unknown, generation: Generation): RpcError['toObject'] extends () => infer T ? T : never;
  report(error: unknown, method: string): void;
}

/** The handler of `tools/call`. */
export type ToolHandler = (
  params: Params,
  context: RequestContext,
) => Result | PreparedResult | Promise<Result | PreparedResult> | undefined;

/** Runs the handler of a call that becomes a task if it takes longer than `afterMs`. */
export function startTaskCall(
  tasks: TaskTable,
  writer: Writer,
  handler: ToolHandler,
  context: RequestContext,
): ReturnType<ToolHandler> {
  const { method, params } = context.request;
  const call = tasks.begin({
    principal: context.principal,
    authorization: context.authorization,
    tool: String(params.name),
    signal: context.signal,
    cancel: () => context.cancel(),
    again: (params) => handler(context.addParams(params), context) as Result | Promise<Result>,
    toResult: (result) => JSON.parse(writer.resultJson(result, method, 'stateless')),
    toError(error) {
      if (!(error instanceof RpcError)) writer.report(error, method);
      return writer.errorObject(error, 'stateless');
    },
  });
  context.taskCall = call;
  const result = handler(params, context);
  return result instanceof Promise ? call.follow(result as Promise<Result>) : result;
}
