import { type Action, type ActionContext, type ActionResult, changed } from '../actions/action.js';
import { canAsk } from '../actions/confirm.js';
import { type DotnetTool, NO_ACTION } from '../actions/dotnet-tool.js';
import { frameworkCatalog } from '../project-files/frameworks.js';
import { READ_ONLY } from './shared/annotations.js';

/**
 * The tool of each category. A category is supported if its tool is registered
 * (docs/spec/dotnet-tools.md#server-categories).
 */
const CATEGORIES: readonly (readonly [category: string, tool: string])[] = [
  ['template', 'dotnet_sdk'],
  ['project', 'dotnet_project'],
  ['package', 'dotnet_package'],
  ['solution', 'dotnet_solution'],
  ['reference', 'dotnet_package'],
  ['tool', 'dotnet_tool'],
  ['watch', 'dotnet_project'],
  ['sdk', 'dotnet_sdk'],
  ['security', 'dotnet_dev_certs'],
  ['framework', 'dotnet_sdk'],
  ['workspace', 'dotnet_project'],
  ['format', 'dotnet_project'],
  ['nuget', 'dotnet_package'],
  ['help', 'dotnet_help'],
  ['efcore', 'dotnet_ef'],
];

/** The extension that a client with support for tasks declares (MCP 2026-07-28). */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Returns the features that this client can use. `telemetry` is not a category, because it is not supported. */
function supports({ context, services }: ActionContext): Record<string, boolean> {
  return {
    structuredErrors: true,
    machineReadable: true,
    cancellation: true,
    telemetry: false,
    metrics: services.toolNames.includes('dotnet_server_metrics'),
    asyncTasks: Object.hasOwn(context.clientCapabilities.extensions ?? {}, TASKS_EXTENSION),
    prompts: services.isListed,
    elicitation: canAsk(context.clientCapabilities),
    mcpLogging: true,
    completions: services.isListed,
    sampling: false,
    progressNotifications: true,
    tokenSavings: false,
  };
}

async function capabilities(call: ActionContext): Promise<ActionResult> {
  const { services, context } = call;
  const installed = (await services.sdk.sdks().catch(() => ({ sdks: [] }))).sdks.map(({ version }) => version);
  const { latestRecommended, latestLts } = frameworkCatalog(installed);
  const data = {
    serverVersion: services.server.version,
    protocolVersion: context.protocolVersion,
    supportedCategories: CATEGORIES.filter(([, tool]) => services.toolNames.includes(tool)).map(([name]) => name),
    supports: supports(call),
    sdkVersions: { installed, recommended: latestRecommended, lts: latestLts },
  };
  return { data, text: JSON.stringify(data, null, 2), isTextOnly: true };
}

export const capabilitiesTool: DotnetTool = {
  name: 'dotnet_server_capabilities',
  title: 'Server Capabilities',
  description: 'What this server supports, and the .NET SDKs that it found.',
  annotations: READ_ONLY,
  actions: { [NO_ACTION]: { isReadOnly: true, execute: capabilities } },
  output: {
    serverVersion: 'string',
    protocolVersion: 'string',
    supportedCategories: 'array',
    supports: 'object',
    sdkVersions: 'object',
  },
};

async function info({ services }: ActionContext): Promise<ActionResult> {
  const { settings, server, toolNames } = services;
  const data = {
    name: server.name,
    version: server.version,
    tools: toolNames,
    timeoutMs: settings.timeoutMs,
    lockWaitMs: settings.lockWaitMs,
    maxOutputBytes: settings.maxOutputBytes,
    sessions: settings.sessions,
  };
  const text = [
    `${server.name} ${server.version}: the .NET SDK over MCP`,
    '',
    `Tools: ${toolNames.join(', ')}`,
    'Results: text, structured data, and errors with code, hint, fixes and the next action.',
    'Concurrency: one writer for each project, solution or folder, across all server processes of this machine; a conflict is CONCURRENCY_CONFLICT with lockInfo.',
    `Limits: a command may take ${settings.timeoutMs} ms (timeoutSeconds for one call); ${settings.maxOutputBytes} bytes of its output are kept.`,
    'Background: Run and Watch of dotnet_project with startMode Background; then Logs, Stop and ListSessions.',
    'Documentation of the CLI: dotnet_help.',
    'Documentation of errors: the hint and documentation link of each.',
  ].join('\n');
  return { data, text, isTextOnly: true };
}

export const infoTool: DotnetTool = {
  name: 'dotnet_server_info',
  title: 'Server Information',
  description: 'What this server is, its tools, rules and limits.',
  annotations: READ_ONLY,
  actions: { [NO_ACTION]: { isReadOnly: true, execute: info } },
  output: {
    name: 'string',
    version: 'string',
    tools: 'array',
    timeoutMs: 'integer',
    lockWaitMs: 'integer',
    maxOutputBytes: 'integer',
    sessions: 'object',
  },
};

const metricsActions: Record<string, Action> = {
  Get: {
    isReadOnly: true,
    execute: async ({ services }) => {
      const toolMetrics = services.metrics.read();
      const all = Object.values(toolMetrics);
      const sum = (count: (tool: (typeof all)[number]) => number) =>
        all.reduce((total, item) => total + count(item), 0);
      const data = {
        toolMetrics,
        totalInvocations: sum(({ invocationCount }) => invocationCount),
        totalSuccesses: sum(({ successCount }) => successCount),
        totalFailures: sum(({ failureCount }) => failureCount),
        tokenSavingsEnabled: false,
        since: services.metrics.since.toISOString(),
        counted: 'calls that a tool answered; those that its input schema refuses reach no tool',
      };
      return { data, text: JSON.stringify(data, null, 2), isTextOnly: true };
    },
  },
  Reset: {
    isReadOnly: false,
    execute: async ({ services }) => {
      services.metrics.reset();
      return changed('The metrics were reset', { message: 'The metrics were reset' });
    },
  },
};

export const metricsTool: DotnetTool = {
  name: 'dotnet_server_metrics',
  title: 'Server Metrics',
  description: 'How often the .NET tools were called, how long they took, and how many calls failed.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },
  actions: metricsActions,
  output: {
    toolMetrics: 'object',
    totalInvocations: 'integer',
    totalSuccesses: 'integer',
    totalFailures: 'integer',
    tokenSavingsEnabled: 'boolean',
    since: 'string',
    counted: 'string',
    message: 'string',
    summary: 'string',
  },
};
