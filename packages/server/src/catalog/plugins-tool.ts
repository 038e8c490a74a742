import type { JsonObject } from '@mortise/plugin';
import {
  normaliseReturned,
  type Outcome,
  type PluginDefinition,
  type PluginProblem,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import type { Runner } from '../core/plugin-runner.js';
import type { PluginStatus } from '../core/plugin-status.js';
import { errorOutcome } from '../results/error-outcomes.js';
import type { ReloadReport } from './catalog.js';
import type { CatalogEntry } from './catalog-entry.js';

export interface PluginsToolOptions {
  plugins(): readonly PluginStatus[];
  /** What is wrong with plugins folders and settings. */
  problems(): readonly PluginProblem[];
  /** @param forceReload the name of a plugin that is asked what it offers whether it has changed or not */
  reload(forceReload?: string): Promise<ReloadReport>;
}

const DEFINITION: ToolDefinition = {
  name: 'builtin.plugins',
  title: 'Plugins',
  description:
    'Shows the plugins of this server and what is wrong with them, and reloads them after a change. List: names, states and tools. Status: one plugin, or all, with every problem and its next step. Reload: load what was added or changed, and the plugin that is named.',
  inputSchema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['List', 'Reload', 'Status'], description: 'What to do' },
      plugin: { type: 'string', minLength: 1, description: 'Status, Reload: the name of one plugin' },
    },
    required: ['action'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  origin: 'built in',
};

/** The tool `builtin.plugins`, as an entry of the catalog (docs/spec/plugins.md#reload). */
export function pluginsTool({ plugins, problems, reload }: PluginsToolOptions): CatalogEntry {
  const actions: Record<string, (args: JsonObject) => Promise<Outcome>> = {
    List: async () => answer(plugins().map(statusLine), { plugins: plugins().map(toSummary) }),
    Status: async ({ plugin }) => {
      const selected = plugins().filter(({ name }) => plugin === undefined || name === plugin);
      if (plugin !== undefined && selected.length === 0) return unknownPlugin(String(plugin), plugins());
      const others = plugin === undefined ? problems() : [];
      const lines = [...selected.flatMap(statusLines), ...others.flatMap(problemLines)];
      return answer(lines, {
        plugins: selected as unknown as JsonObject[],
        ...(others.length > 0 && { problems: others as unknown as JsonObject[] }),
      });
    },
    Reload: async ({ plugin }) => {
      if (plugin !== undefined && !plugins().some(({ name }) => name === plugin)) {
        return unknownPlugin(String(plugin), plugins());
      }
      const report = await reload(plugin as string | undefined);
      const problems = plugins().filter(({ name }) => report.failed.includes(name));
      return answer([reportLine(report), ...problems.flatMap(statusLines)], { ...report });
    },
  };
  const definition: PluginDefinition = { tools: [DEFINITION], resources: [], prompts: [], problems: [] };
  const runner: Runner = {
    definition,
    callTool: (_name, args = {}) => actions[args.action as string]!(args),
    readResource: async () => nothingElse(),
    getPrompt: async () => nothingElse(),
    complete: async () => ({ values: [] }),
    dispose: async () => {},
  };
  return {
    candidate: { kind: 'builtIn', name: 'mortise', path: 'built in', directory: '', problems: [] },
    runner,
    definition,
  };
}

function answer(lines: string[], structuredContent: JsonObject): Outcome {
  return normaliseReturned({ content: lines.length > 0 ? lines.join('\n') : 'No plugins', structuredContent });
}

function toSummary({ name, state, tools, problems }: PluginStatus): JsonObject {
  return { name, state, tools, problems: problems.length };
}

/** No punctuation follows the name: after a plugin named `token`, redaction would treat the following text as its value. */
function statusLine({ name, state, tools, problems }: PluginStatus): string {
  const wrong = problems.length === 0 ? '' : `, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`;
  return `${name} (${state}${wrong})${tools.length > 0 ? `: ${tools.join(', ')}` : ''}`;
}

function statusLines(status: PluginStatus): string[] {
  return [statusLine(status), ...status.problems.flatMap(problemLines)];
}

function problemLines({ severity, code, message, hint, location }: PluginProblem): string[] {
  return [
    `  ${severity} ${code}: ${message}`,
    `    ${location.file}${location.line === undefined ? '' : `:${location.line}`}`,
    `    ${hint}`,
  ];
}

function reportLine({ added, changed, removed, failed }: ReloadReport): string {
  const parts = Object.entries({ added, changed, removed, failed }).filter(([, names]) => names.length > 0);
  return parts.length === 0
    ? 'Nothing has changed'
    : parts.map(([what, names]) => `${what}: ${names.join(', ')}`).join('; ');
}

function unknownPlugin(name: string, plugins: readonly PluginStatus[]): Outcome {
  return errorOutcome('INVALID_PARAMS', `There is no plugin '${name}'`, {
    hint: `The plugins are: ${plugins.map((plugin) => plugin.name).join(', ') || 'none'}`,
    data: { exitCode: -1, additionalData: { parameter: 'plugin', reason: 'not found', providedValue: name } },
  });
}

function nothingElse() {
  return errorOutcome('INTERNAL_ERROR', 'This is a built-in tool');
}
