import type { ErrorOutcome, PluginProblem } from '@mortise/plugin/runtime';
import { isSummary } from '../access/visible-status.js';
import type { PluginStatus } from '../core/plugin-status.js';
import type { Caller } from '../core/server-api.js';
import { PluginUnavailableError, toErrorOutcome } from '../run/shared/runner-errors.js';
import { sentence } from '../util/sentence.js';
import type { CallServices } from './call-services.js';

// Why a name leads to nothing: its plugin is not loaded, or the tool was refused.

/** What a caller asks for. */
interface Wanted {
  readonly services: Pick<CallServices, 'snapshot' | 'unloaded'>;
  readonly caller: Caller;
  /** As pins name it: a tool by its name, all else by `prompt x` or `resource x`. No plugin is asked without it. */
  readonly label: string | undefined;
}

/**
 * Why something that no plugin provides cannot be used although it can belong to a plugin that is not loaded
 * (docs/spec/plugins.md#unloaded-names). A load that took too long is tried again first.
 * @param isThere whether it has come meanwhile
 * @returns `there` if it has; undefined if it can belong to none
 */
export async function unavailableOwner(
  { services: { snapshot, unloaded }, label, caller }: Wanted,
  isThere: () => boolean,
): Promise<ErrorOutcome | 'there' | undefined> {
  if (label === undefined) return undefined;
  const owner = () => unloadedOwner(label, snapshot(caller.principal).plugins, unloaded.knownLabels);
  const before = owner();
  if (!before) return undefined;
  await unloaded.loadAgain(before.path);
  if (isThere()) return 'there';
  const now = owner();
  return now && toErrorOutcome(now.name, new PluginUnavailableError(problemOf(now, caller)));
}

/** Paths and reasons are for who may operate the server. */
function problemOf({ name, state, problems }: PluginStatus, { principal }: Caller): PluginProblem {
  const problem = isSummary(principal) ? undefined : problems.find(({ severity }) => severity === 'error');
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

/** How many problems, and how many names, are shown. */
const MAX_PROBLEMS = 3;
const MAX_NAMES = 5;

/** Which plugins did not load, and why if there is one, or if a problem or name fits what was called; undefined if all did. */
export function notLoadedText(
  called: string,
  plugins: readonly PluginStatus[],
  { principal }: Caller,
): string | undefined {
  const failed = plugins.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return undefined;
  const fitting = failed.length === 1 ? failed : failed.filter((plugin) => fits(plugin, called)).slice(0, MAX_PROBLEMS);
  const reasons = isSummary(principal) ? [] : fitting.flatMap(reasonOf);
  if (reasons.length > 0) return reasons.join(' ');
  const names = failed.slice(0, MAX_NAMES).map(({ name }) => name);
  const rest = failed.length > MAX_NAMES ? ` and ${failed.length - MAX_NAMES} others` : '';
  return `Not loaded: ${names.join(', ')}${rest}.`;
}

function reasonOf({ name, problems }: PluginStatus): string[] {
  const problem = problems.find(({ severity }) => severity === 'error');
  return problem ? [`The plugin '${name}' did not load: ${sentence(problem.message)} ${problem.hint}`] : [];
}

/** Words of fewer letters say nothing. */
const MIN_WORD_CHARS = 4;

/** Whether the plugin's name has a word of the called name, or a problem of it names it. */
function fits({ name, problems }: PluginStatus, called: string): boolean {
  const words = (text: string) =>
    spelled(text)
      .split(/[_-]+/)
      .filter((word) => word.length >= MIN_WORD_CHARS);
  const own = new Set(words(name));
  if (words(called).some((word) => own.has(word))) return true;
  const wanted = spelled(called);
  return problems.some(({ message }) => (message.match(/[\w.-]+/g) ?? []).some((word) => spelled(word) === wanted));
}

/** Names that clients see as one are one. */
const spelled = (name: string): string => name.replace(/[^\w-]/g, '_').toLowerCase();

/** Names that a model or a host may take for one another are one. */
const folded = (name: string): string => spelled(name).replaceAll('-', '_');

/**
 * The plugin or mounted server that is not loaded and to which the name can belong (docs/spec/plugins.md#unloaded-names):
 * it had the name when it was last seen, or the name is its own name, alone or followed by `.` or `_`.
 * @param label as pins name it: a tool by its name, all else by `prompt x` or `resource x`
 * @param labelsOf what a plugin had when it was last seen, by its path
 */
function unloadedOwner(
  label: string,
  plugins: readonly PluginStatus[],
  labelsOf: (path: string) => readonly string[],
): PluginStatus | undefined {
  const unloaded = plugins.filter(({ state }) => state === 'failed' || state === 'loading');
  if (unloaded.length === 0) return undefined;
  if (label.startsWith('resource ')) return unloaded.find(({ path }) => labelsOf(path).includes(label));
  const wanted = folded(label);
  const known = unloaded.find(({ path }) => labelsOf(path).some((one) => folded(one) === wanted));
  if (known) return known;
  const name = folded(label.replace(/^prompt /, ''));
  const named = unloaded.filter((plugin) => `${name}_`.startsWith(`${folded(plugin.name)}_`));
  return named.sort((a, b) => b.name.length - a.name.length)[0];
}

/** How messages name a tool: `Tool 'report.make'`, `The tool name 'report make'`. */
const NAMED_TOOL = /\btool(?: name)? '([^']+)'/gi;

/**
 * Why there is no tool of this name although a plugin defines it: the problem by which it was refused
 * (docs/spec/plugin-authoring.md#refused-tools). Undefined where no plugin tried to.
 */
export function refusalOf(name: string, plugins: readonly PluginStatus[]): PluginProblem | undefined {
  const wanted = spelled(name);
  return plugins
    .flatMap(({ problems }) => problems)
    .find(({ severity, message, location: { subject } }) => {
      if (severity !== 'error') return false;
      const names = [...message.matchAll(NAMED_TOOL)].map(([, named]) => named!);
      return [...names, subject ?? ''].some((item) => spelled(item) === wanted);
    });
}
