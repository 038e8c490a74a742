import { type CacheHint, createInputRounds, McpServer, type TaskOptions } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import type { Principal } from '../../core/principal.js';
import type { ServerApi } from '../../core/server-api.js';
import type { Log } from '../../log/log.js';
import { stateKeys } from '../../settings/state-keys.js';
import { errorStack } from '../../util/error-message.js';
import { passAnnouncements } from './announcements.js';
import { principalOf, RequestCaller } from './caller.js';
import { completionHandler } from './completion-handler.js';
import { FailureLog } from './failure-log.js';
import type { HandlerServices } from './handler-services.js';
import { createListPages } from './list-pages.js';
import { promptHandlers } from './prompt-handlers.js';
import { resourceHandlers } from './resource-handlers.js';
import { toolHandlers } from './tool-handlers.js';
import { traceWith } from './trace-with.js';

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const INSTRUCTIONS =
  'Tools, resources and prompts of the plugins installed here. The resource mortise://plugins lists the plugins and their problems; mortise://contract describes results.';

/** Lets clients reuse a list for some seconds (2026-07-28). Changes are announced in addition. */
const LIST_HINT: CacheHint = { ttlMs: 5_000, cacheScope: 'private' };

/** An MCP server that answers requests through a {@link ServerApi}. */
export interface AttachedMcpServer {
  readonly mcp: McpServer;
  /** Stops passing changes and log lines of the ServerApi to clients. */
  detach(): void;
}

function taskOptions({ settings, inputSchemaOf, mcpLists, shared }: ServerApi): TaskOptions {
  const { AfterMs, KeepMs, MaxOpen, MaxOpenPerPrincipal } = settings.Tasks;
  return {
    // A caller still sees its task after the tool was removed.
    isVisible: (tool, authorization) =>
      inputSchemaOf(tool, authorization as Principal | undefined) !== undefined || inputSchemaOf(tool) === undefined,
    isRepeatable: (tool, authorization) => {
      const { tools } = mcpLists(authorization as Principal | undefined);
      const { readOnlyHint, idempotentHint } = tools.find(({ name }) => name === tool)?.annotations ?? {};
      return readOnlyHint === true || idempotentHint === true;
    },
    ...(shared && { store: shared.tasks }),
    afterMs: AfterMs,
    keepMs: KeepMs,
    answerMs: settings.Tools.AnswerWaitMs,
    maxOpen: MaxOpen,
    maxOpenPerPrincipal: MaxOpenPerPrincipal,
  };
}

/** Creates an MCP server that answers requests through `server`, and passes its changes and log lines to clients. */
export function createMcpServer(server: ServerApi, log: Log): AttachedMcpServer {
  const { Http, Tools, Tasks } = server.settings;
  const services: HandlerServices = {
    server,
    rounds: createInputRounds(stateKeys(Http), Tools.AnswerWaitMs),
    pages: createListPages(Tools.PageSize),
    log,
    failures: new FailureLog(log),
  };
  const mcp = new McpServer({
    info: { name: 'mortise', title: 'Mortise', version: server.version },
    instructions: (context) => [INSTRUCTIONS, server.instructions(principalOf(context))].join('\n\n').trim(),
    capabilities: CAPABILITIES,
    handlers: {
      ...toolHandlers(services),
      ...resourceHandlers(services),
      ...promptHandlers(services),
      ...completionHandler(services),
    },
    cacheHints: {
      'server/discover': { ttlMs: 60_000, cacheScope: 'private' },
      'tools/list': LIST_HINT,
      'resources/list': LIST_HINT,
      'resources/templates/list': LIST_HINT,
      'prompts/list': LIST_HINT,
    },
    ...(Tasks.AfterMs > 0 && { tasks: taskOptions(server) }),
    watchResource: (uri, context, ended) => server.watchResource(uri, new RequestCaller(context), ended),
    rootsChanged: () => server.roots.changed(),
    redactError: server.redact,
    ...(server.metrics && { trace: traceWith(server.metrics) }),
    onError(error, method) {
      if (method === undefined) log.debug('MCP connection error', { error: String(error) });
      else log.error('An MCP request failed', { method, error: errorStack(error) });
    },
  });
  server.roots.connect(() => mcp.askRoots() as Promise<JsonObject> | undefined);
  server.metrics?.watch(() => ({ ...server.counts(), sessions: mcp.sessionCount }));
  return { mcp, detach: passAnnouncements(server, mcp) };
}
