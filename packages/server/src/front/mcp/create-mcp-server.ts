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

/** An MCP server that answers from the plugin server, and passes its changes and log lines on until it is detached. */
export interface AttachedMcpServer {
  readonly mcp: McpServer;
  /** Stops passing changes and log lines on. */
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

/** Makes an MCP server that answers requests through `host`, and passes its changes and log lines to clients. */
export function createMcpServer(host: ServerApi, log: Log): AttachedMcpServer {
  const { Http, Tools, Tasks } = host.settings;
  const services: HandlerServices = {
    host,
    rounds: createInputRounds(stateKeys(Http), Tools.AnswerWaitMs),
    pages: createListPages(Tools.PageSize),
    log,
    failures: new FailureLog(log),
  };
  const mcp = new McpServer({
    info: { name: 'mortise', title: 'Mortise', version: host.version },
    instructions: (context) => [INSTRUCTIONS, host.instructions(principalOf(context))].join('\n\n').trim(),
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
    ...(Tasks.AfterMs > 0 && { tasks: taskOptions(host) }),
    watchResource: (uri, context, ended) => host.watchResource(uri, new RequestCaller(context), ended),
    rootsChanged: () => host.roots.changed(),
    redactError: host.redact,
    ...(host.metrics && { trace: traceWith(host.metrics) }),
    onError(error, method) {
      if (method === undefined) log.debug('MCP connection error', { error: String(error) });
      else log.error('An MCP request failed', { method, error: errorStack(error) });
    },
  });
  host.roots.connect(() => mcp.askRoots() as Promise<JsonObject> | undefined);
  host.metrics?.watch(() => ({ ...host.counts(), sessions: mcp.sessionCount }));
  return { mcp, detach: passAnnouncements(host, mcp) };
}
