import type { JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  normaliseReturned,
  type Outcome,
  type PluginDefinition,
  type PluginProblem,
  type PluginResults,
  type PluginWork,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import type { Runner } from '../../core/plugin-runner.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Principal } from '../../core/principal.js';
import type { CatalogEntry } from './catalog-entry.js';
import type { ReloadReport } from './reload-report.js';

export interface PluginsToolOptions {
  /** Returns the plugins that the principal can see. */
  plugins(principal: Principal | undefined): readonly PluginStatus[];
  /** Returns the problem if the last reload kept the former settings, because the new ones are invalid. */
  settingsProblem(): PluginProblem | undefined;
  /** Returns the problems of plugins folders and settings, {@link settingsProblem} included. */
  problems(): readonly PluginProblem[];
  /** @param forceReload name of a plugin to load even if its files are unchanged */
  reload(forceReload?: string): Promise<ReloadReport>;
}

const DEFINITION: ToolDefinition = {
  name: 'builtin.plugins',
  title: 'Plugins',
  description:
    'Shows the plugins of this server and what is wrong with them. List: names, states and tools. Status: one plugin, or all, with every problem and its next step.',
  inputSchema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['List', 'Reload', 'Status'], description: 'What to do' },
      plugin: { type: 'string', minLength: 1, description: 'Status: the name of one plugin' },
    },
    required: ['action'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  origin: 'built in',
};

/**
 * Actions that operators may call here, but that only the schema of `builtin.operate` lists
 * (docs/spec/access.md#operators).
 */
const UNLISTED = ['Reload'];

type Action = (args: JsonObject, principal: Principal | undefined) => Promise<Outcome>;

/** Creates the catalog entry of the tool `builtin.plugins` (docs/spec/plugins.md#reload). */
export function pluginsTool({
  plugins: pluginsOf,
  problems,
  settingsProblem,
  reload,
}: PluginsToolOptions): CatalogEntry {
  const actions: Record<string, Action> = {
    List: async (_args, principal) => {
      const plugins = pluginsOf(principal);
      return answer(plugins.map(statusLine), { plugins: plugins.map(toSummary) });
    },
    Status: async ({ plugin }, principal) => {
      const plugins = pluginsOf(principal);
      const selected = plugins.filter(({ name }) => plugin === undefined || name === plugin);
      if (plugin !== undefined && selected.length === 0) return unknownPlugin(String(plugin), plugins);
      const others = plugin === undefined && isUnrestricted(principal) ? problems() : [];
      const lines = [...selected.flatMap(statusLines), ...others.flatMap(problemLines)];
      return answer(lines, {
        plugins: selected as unknown as JsonObject[],
        ...(others.length > 0 && { problems: others as unknown as JsonObject[] }),
      });
    },
    Reload: reloadAction({ plugins: pluginsOf, settingsProblem, reload }),
  };
  return { ...builtInEntry(DEFINITION, actions), unlistedActions: UNLISTED };
}

export type ReloadOptions = Pick<PluginsToolOptions, 'plugins' | 'settingsProblem' | 'reload'>;

/**
 * Creates the action Reload, which both built-in tools have. Its report has only plugins that the principal can see.
 */
export function reloadAction({ plugins: pluginsOf, settingsProblem, reload }: ReloadOptions): Action {
  return async ({ plugin }, principal) => {
    const plugins = () => pluginsOf(principal);
    if (plugin !== undefined && !plugins().some(({ name }) => name === plugin)) {
      return unknownPlugin(String(plugin), plugins());
    }
    const report = visibleReport(await reload(plugin as string | undefined), principal, plugins());
    const problems = plugins().filter(({ name }) => report.failed.includes(name));
    const settings = settingsProblem();
    const lines = [reportLine(report), ...problems.flatMap(statusLines)];
    if (settings) lines.push(...(isUnrestricted(principal) ? problemLines(settings) : [FORMER_SETTINGS]));
    return answer(lines, { ...report, ...(settings && { formerSettings: true }) });
  };
}

/** Creates the catalog entry of a built-in tool. @param actions by the value of the argument `action` */
export function builtInEntry(tool: ToolDefinition, actions: Readonly<Record<string, Action>>): CatalogEntry {
  const definition: PluginDefinition = { tools: [tool], resources: [], prompts: [], problems: [] };
  const runner: Runner = {
    definition,
    run: <W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> => {
      if (work.do !== 'call')
        return Promise.resolve(
          errorOutcome('INTERNAL_ERROR', `A built-in tool can only be called, and was asked to ${work.do}`),
        );
      const { args = {} } = work;
      return actions[args.action as string]!(args, principalOf(channel)) as Promise<PluginResults[W['do']]>;
    },
    dispose: async () => {},
  };
  return {
    candidate: { kind: 'builtIn', name: 'mortise', path: 'built in', directory: '', problems: [] },
    runner,
    definition,
  };
}

/** Replaces the problem for principals with a profile, who may not see its text. */
const FORMER_SETTINGS = 'The settings could not be read again; the former ones apply.';

/** Channels inside the server have a principal, which is not part of the type because plugins must not see it. */
const principalOf = (channel: CallChannel) => (channel as { principal?: Principal }).principal;

const isUnrestricted = (principal: Principal | undefined) => (principal?.profiles.length ?? 0) === 0;

/** Limits the report to the plugins that the principal can see. */
function visibleReport(
  report: ReloadReport,
  principal: Principal | undefined,
  plugins: readonly PluginStatus[],
): ReloadReport {
  if (isUnrestricted(principal)) return report;
  const names = new Set(plugins.map(({ name }) => name));
  const only = (all: readonly string[]) => all.filter((name) => names.has(name));
  const { added, changed, removed, failed } = report;
  return { ...report, added: only(added), changed: only(changed), removed: only(removed), failed: only(failed) };
}

/** Creates the outcome of an action. @param lines the text; 'No plugins' if empty */
export function answer(lines: string[], structuredContent: JsonObject): Outcome {
  return normaliseReturned({ content: lines.length > 0 ? lines.join('\n') : 'No plugins', structuredContent });
}

function toSummary({ name, state, tools, problems }: PluginStatus): JsonObject {
  return { name, state, tools, problems: problems.length };
}

/**
 * No punctuation follows the name: after a plugin named `token`, redaction would treat the following text as its value.
 */
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
    : parts.map(([verb, names]) => `${verb}: ${names.join(', ')}`).join('; ');
}

function unknownPlugin(name: string, plugins: readonly PluginStatus[]): Outcome {
  return errorOutcome('INVALID_PARAMS', `There is no plugin '${name}'`, {
    hint: `The plugins are: ${plugins.map((plugin) => plugin.name).join(', ') || 'none'}`,
    data: { exitCode: -1, additionalData: { parameter: 'plugin', reason: 'not found', providedValue: name } },
  });
}
