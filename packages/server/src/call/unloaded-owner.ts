import type { ErrorOutcome, PluginProblem } from '@mortise/plugin/runtime';
import { seesOnlySummaries } from '../access/visible-status.js';
import type { PluginStatus } from '../core/plugin-status.js';
import type { Caller } from '../core/server-api.js';
import { PluginUnavailableError, toErrorOutcome } from '../run/shared/runner-errors.js';
import { sentence } from '../util/sentence.js';
import type { CallServices } from './call-services.js';

// Explains why a name was not found: its plugin is not loaded, or the tool was refused.

interface MissingTarget {
  readonly services: Pick<CallServices, 'viewOf' | 'unloadedPlugins'>;
  readonly caller: Caller;
  /**
   * The target's name in pins: a tool's name, `prompt <name>` or `resource <uri>`. If undefined, no plugin is tried.
   */
  readonly pinLabel: string | undefined;
}

/**
 * Finds the plugin that is not loaded and may provide a target that no loaded plugin provides, and loads it again if
 * its load took too long (docs/spec/plugins.md#unloaded-names).
 * @param find looks the target up again
 * @returns `found` if the target is available now; the error if its plugin is still not loaded; undefined if no such
 * plugin can provide it
 */
export async function retryUnloadedOwner(
  { services, pinLabel, caller }: MissingTarget,
  find: () => boolean,
): Promise<ErrorOutcome | 'found' | undefined> {
  if (pinLabel === undefined) return undefined;
  const { unloadedPlugins } = services;
  const findOwner = () =>
    unloadedOwner(pinLabel, services.viewOf(caller.principal).plugins, unloadedPlugins.knownLabels);
  const owner = findOwner();
  if (!owner) return undefined;
  await unloadedPlugins.loadAgain(owner.path);
  if (find()) return 'found';
  const ownerAfterRetry = findOwner();
  return (
    ownerAfterRetry &&
    toErrorOutcome(ownerAfterRetry.name, new PluginUnavailableError(problemOf(ownerAfterRetry, caller)))
  );
}

/** Returns the problem of the plugin. Only callers that may operate the server see paths and reasons. */
function problemOf({ name, state, problems }: PluginStatus, { principal }: Caller): PluginProblem {
  const problem = seesOnlySummaries(principal) ? undefined : problems.find(({ severity }) => severity === 'error');
  return (
    problem ?? {
      severity: 'error',
      code: 'PLUGIN_UNREADABLE',
      message: state === 'loading' ? 'it is still loading.' : 'the operator of the server can see why.',
      hint: 'Try again later, or ask the operator of the server.',
      location: { file: name },
    }
  );
}

const MAX_SHOWN_PROBLEMS = 3;
const MAX_SHOWN_NAMES = 5;

/**
 * Says which plugins did not load. Adds the reason if only one did not load, or if the name of a plugin or its problem
 * is similar to the called name.
 * @returns undefined if all plugins have loaded
 */
export function notLoadedText(
  calledName: string,
  plugins: readonly PluginStatus[],
  { principal }: Caller,
): string | undefined {
  const failed = plugins.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return undefined;
  const likely = failed.length === 1 ? failed : failed.filter((plugin) => isLikelyOwner(plugin, calledName));
  const reasons = seesOnlySummaries(principal) ? [] : likely.slice(0, MAX_SHOWN_PROBLEMS).flatMap(reasonOf);
  if (reasons.length > 0) return reasons.join(' ');
  const names = failed.slice(0, MAX_SHOWN_NAMES).map(({ name }) => name);
  const rest = failed.length > MAX_SHOWN_NAMES ? ` and ${failed.length - MAX_SHOWN_NAMES} others` : '';
  return `Not loaded: ${names.join(', ')}${rest}.`;
}

function reasonOf({ name, problems }: PluginStatus): string[] {
  const problem = problems.find(({ severity }) => severity === 'error');
  return problem ? [`The plugin '${name}' did not load: ${sentence(problem.message)} ${problem.hint}`] : [];
}

/** Shorter words are too common to relate two names. */
const MIN_WORD_CHARS = 4;

/** True if the names have a word in common, or a problem of the plugin mentions the called name. */
function isLikelyOwner({ name, problems }: PluginStatus, calledName: string): boolean {
  const wordsOf = (text: string) =>
    clientSpelling(text)
      .split(/[_-]+/)
      .filter((word) => word.length >= MIN_WORD_CHARS);
  const pluginWords = new Set(wordsOf(name));
  if (wordsOf(calledName).some((word) => pluginWords.has(word))) return true;
  const spelling = clientSpelling(calledName);
  return problems.some(({ message }) =>
    (message.match(/[\w.-]+/g) ?? []).some((word) => clientSpelling(word) === spelling),
  );
}

/** Returns a name as clients see it by default, with `_` for other characters, and in lower case. */
const clientSpelling = (name: string): string => name.replace(/[^\w-]/g, '_').toLowerCase();

/** As clientSpelling, but also equal for `-` and `_`, which models confuse. */
const looseSpelling = (name: string): string => clientSpelling(name).replaceAll('-', '_');

/**
 * Returns the plugin that is not loaded and may own the label (docs/spec/plugins.md#unloaded-names): its last known
 * definition has the label, or the label equals the plugin's name or begins with it and `.` or `_`.
 * @param pinLabel a tool's name, `prompt <name>` or `resource <uri>`
 * @param labelsOf returns the pin labels of a plugin's last known definition
 */
function unloadedOwner(
  pinLabel: string,
  plugins: readonly PluginStatus[],
  labelsOf: (path: string) => readonly string[],
): PluginStatus | undefined {
  const unloaded = plugins.filter(({ state }) => state === 'failed' || state === 'loading');
  if (unloaded.length === 0) return undefined;
  if (pinLabel.startsWith('resource ')) return unloaded.find(({ path }) => labelsOf(path).includes(pinLabel));
  const spelling = looseSpelling(pinLabel);
  const owner = unloaded.find(({ path }) => labelsOf(path).some((label) => looseSpelling(label) === spelling));
  if (owner) return owner;
  const name = looseSpelling(pinLabel.replace(/^prompt /, ''));
  const withPrefix = unloaded.filter((plugin) => `${name}_`.startsWith(`${looseSpelling(plugin.name)}_`));
  return withPrefix.sort((a, b) => b.name.length - a.name.length)[0];
}

/** Finds tool names in problem messages: `Tool 'report.make'`, `The tool name 'report make'`. */
const NAMED_TOOL = /\btool(?: name)? '([^']+)'/gi;

/**
 * Returns the problem for which a plugin's tool of this name was refused (docs/spec/plugin-authoring.md#refused-tools);
 * undefined if no plugin defines such a tool.
 */
export function refusalOf(name: string, plugins: readonly PluginStatus[]): PluginProblem | undefined {
  const spelling = clientSpelling(name);
  return plugins
    .flatMap(({ problems }) => problems)
    .find(({ severity, message, location: { subject } }) => {
      if (severity !== 'error') return false;
      const toolNames = [...message.matchAll(NAMED_TOOL)].map(([, toolName]) => toolName!);
      return [...toolNames, subject ?? ''].some((toolName) => clientSpelling(toolName) === spelling);
    });
}
