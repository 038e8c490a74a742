import { RPC_CODES } from '../json-rpc/codes.js';
import type { Params } from '../json-rpc/messages.js';
import { invalidParams, RpcError } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import type { BuiltInMethod, ParamsOf, TaskMethod } from '../protocol/methods.js';
import { TASKS_EXTENSION } from '../protocol/tasks-extension.js';
import type { Implementation, Results, ServerCapabilities, Task } from '../protocol/types.js';
import { negotiate, STATELESS_VERSIONS } from '../protocol/versions.js';
import type { TaskTable } from '../tasks/task-table.js';
import { CancelSource } from '../util/cancel-source.js';
import type { ListenTable } from './listen-table.js';
import type { RequestContext } from './request-context.js';
import type { McpServerOptions, ServerLimits } from './server-options.js';
import { requireTasks } from './task-methods.js';

/** The part of the server that these methods use. */
export interface BuiltInServer {
  readonly options: McpServerOptions;
  readonly limits: ServerLimits;
  readonly listens: ListenTable;
  readonly tasks: TaskTable | undefined;
  readonly isDraining: boolean;
}

/** The handler of a method that this package answers itself. The result `undefined` leaves the request open. */
export type BuiltInHandler<M extends BuiltInMethod> = (
  params: ParamsOf<M>,
  context: RequestContext,
  server: BuiltInServer,
) => Results[M] | Promise<Results[M] | undefined> | undefined;

interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: Params;
  readonly clientInfo: Params & Pick<Implementation, 'name' | 'version'>;
}

const INITIALIZE_NEEDS =
  'Invalid params: initialize needs params.protocolVersion (a string), params.capabilities (an object) and params.clientInfo (an object with name and version).';

function isInitialize(
  params: ParamsOf<'initialize'> & Partial<Record<keyof InitializeParams, unknown>>,
): params is InitializeParams {
  const { protocolVersion, capabilities, clientInfo } = params;
  return (
    typeof protocolVersion === 'string' &&
    isObject(capabilities) &&
    isObject(clientInfo) &&
    typeof clientInfo.name === 'string' &&
    typeof clientInfo.version === 'string'
  );
}

/** The methods that are the same for every server. */
export const BUILT_IN: { readonly [M in Exclude<BuiltInMethod, TaskMethod>]: BuiltInHandler<M> } = {
  initialize(params, context, { options }) {
    if (!isInitialize(params)) throw invalidParams(INITIALIZE_NEEDS);
    const { clientInfo, capabilities } = params;
    const { connection } = context;
    const protocolVersion = negotiate(params.protocolVersion, connection.transport);
    connection.declaration = { protocolVersion, clientInfo, capabilities };
    return { protocolVersion, ...introduction(options, context) };
  },

  ping: () => ({}),

  'server/discover': (_params, context, { options }) => ({
    supportedVersions: STATELESS_VERSIONS,
    ...introduction(options, context),
    ...(options.tasks && { capabilities: withTasks(options.capabilities) }),
  }),

  async 'resources/subscribe'({ uri }, context, { limits, options }) {
    const { subscriptions } = context.connection;
    if (subscriptions.size >= limits.subscriptionsPerSession && !subscriptions.has(uri)) {
      throw invalidParams(
        `A session can subscribe to ${limits.subscriptionsPerSession} resources at most: unsubscribe first.`,
      );
    }
    // Subscribe first, so that no change is missed while the resource is looked up.
    const ended = subscriptions.get(uri) ?? new CancelSource();
    subscriptions.set(uri, ended);
    if ((await options.watchResource?.(uri, context, ended)) === false) {
      subscriptions.delete(uri);
      ended.abort();
      throw new RpcError(RPC_CODES.resourceNotFound, `Resource not found: ${uri}`, { uri });
    }
    return {};
  },

  'resources/unsubscribe'({ uri }, { connection }) {
    const ended = connection.subscriptions.get(uri);
    connection.subscriptions.delete(uri);
    ended?.abort();
    return {};
  },

  'logging/setLevel'({ level }, { connection }) {
    connection.logLevel = level;
    return {};
  },

  'subscriptions/listen'(params, context, server) {
    const { tasks } = server;
    const { taskIds = [] } = params.notifications;
    if (tasks === undefined || taskIds.length === 0) return listen(params, context, server, []);
    requireTasks(context);
    const openTasks = tasks.openTasks(taskIds, context);
    return openTasks instanceof Promise
      ? openTasks.then((found) => listen(params, context, server, found))
      : listen(params, context, server, openTasks);
  },
};

/** @param openTasks the requested tasks that have not ended */
function listen(
  { notifications }: ParamsOf<'subscriptions/listen'>,
  context: RequestContext,
  { listens, limits, options, tasks, isDraining }: BuiltInServer,
  openTasks: readonly Task[],
): Results['subscriptions/listen'] | undefined {
  // The client can have left, or the shutdown begun, while the tasks were looked up.
  if (context.isEnded || isDraining) return listens.result(context);
  const opened = listens.open(context, notifications, openTasks);
  if (opened === undefined) return listens.result(context);
  const uris = [...opened.uris].slice(0, limits.subscriptionsPerSession);
  for (const uri of uris) void options.watchResource?.(uri, context, opened.ended);
  tasks?.watch(openTasks, opened.ended);
  return undefined;
}

function introduction({ capabilities, info, instructions: own }: McpServerOptions, context: RequestContext) {
  const instructions = typeof own === 'function' ? own(context) : own;
  return { capabilities, serverInfo: info, ...(instructions !== undefined && { instructions }) };
}

function withTasks(capabilities: ServerCapabilities): ServerCapabilities {
  return { ...capabilities, extensions: { ...capabilities.extensions, [TASKS_EXTENSION]: {} } };
}
