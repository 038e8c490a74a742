import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ErrorOutcome,
  InputRequiredOutcome,
  ListOutcome,
  PluginProblem,
  ResourceDefinition,
} from '@mortise/plugin/runtime';
import { matchSteps, matchTemplate } from '@mortise/plugin/runtime';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Caller, ListedResource } from '../../core/server-api.js';
import type { Resource, Snapshot } from '../../core/snapshot.js';
import { checkDefinition } from '../../plugins/load/check-definition.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { runWithLimits } from '../call.js';
import type { CallServices } from '../call-services.js';
import { MAX_MATCH_STEPS } from '../find-resource.js';
import { LimitedCall } from '../limited-call.js';

/** The time limit of a list, unless `Tools.TimeoutMs` is lower. */
const LIST_MS = 5_000;
/** Limit of the work to match all URIs that one template lists. */
const MAX_LIST_MATCH_STEPS = 20 * MAX_MATCH_STEPS;
/** The most problems of one plugin's lists that are kept. */
const MAX_PROBLEMS = 20;

type ListFault = Pick<PluginProblem, 'message' | 'hint'>;

/** The entries of one template's list whose URIs fit the template, and the problems of the others. */
interface TemplateEntries {
  readonly entries: readonly unknown[];
  readonly problems: readonly PluginProblem[];
}

/**
 * Lists the resources of templates that have a `list` function (docs/spec/plugin-api.md#template-list). Each request
 * asks all plugins at the same time. A plugin that fails gets a problem; the resources of the other plugins are still
 * listed.
 */
export class TemplateResources {
  readonly #services: CallServices;
  readonly #toListed: (definition: ResourceDefinition) => ListedResource;
  /** The problems by plugin path. They are valid only as long as the plugin has the same runner. */
  readonly #problems = new Map<string, { readonly runner: object; readonly problems: readonly PluginProblem[] }>();
  /** The last list of each snapshot or view, for later pages. */
  readonly #lastList = new WeakMap<Snapshot, readonly ListedResource[]>();

  /** @param toListed converts a resource to MCP's form */
  constructor(services: CallServices, toListed: (definition: ResourceDefinition) => ListedResource) {
    this.#services = services;
    this.#toListed = toListed;
  }

  /**
   * @param isLaterPage the previous list is used again if the plugins have not changed since
   * @returns undefined if no template lists resources
   */
  list(caller: Caller, isLaterPage: boolean): Promise<readonly ListedResource[]> | undefined {
    const view = this.#services.viewOf(caller.principal);
    const templates = view.templates.filter(({ definition }) => definition.lists);
    if (templates.length === 0) return undefined;
    const lastList = isLaterPage ? this.#lastList.get(view) : undefined;
    if (lastList) return Promise.resolve(lastList);
    return this.#listAll(view, templates, caller);
  }

  /** Returns the problems of the plugin's last lists. @param path of the plugin */
  problemsOf(path: string): readonly PluginProblem[] {
    const last = this.#problems.get(path);
    const isCurrent = ({ runner }: Resource) => runner === last?.runner;
    return last && this.#services.viewOf(undefined).templates.some(isCurrent) ? last.problems : [];
  }

  /** Adds the problems of the plugin's lists to its status. */
  withProblems(status: PluginStatus): PluginStatus {
    return { ...status, problems: [...status.problems, ...this.problemsOf(status.path)] };
  }

  get hasProblems(): boolean {
    return this.#problems.size > 0;
  }

  async #listAll(view: Snapshot, templates: readonly Resource[], caller: Caller): Promise<ListedResource[]> {
    const paths = [...new Set(templates.map(({ path }) => path))];
    const templatesOf = (path: string) => templates.filter((template) => template.path === path);
    const listed = await Promise.all(paths.map((path) => this.#listOfPlugin(templatesOf(path), caller)));
    const byUri = new Map<string, ListedResource>();
    const fixedUris = new Set(view.resources.map(({ definition }) => definition.uri));
    for (const definition of listed.flat()) {
      const uri = definition.uri!;
      if (!fixedUris.has(uri) && !view.hidesUri?.(uri) && !byUri.has(uri)) byUri.set(uri, this.#toListed(definition));
    }
    const resources = this.#services.redactor.value([...byUri.values()]);
    const isPaged = this.#services.settings.Tools.PageSize > 0;
    if (isPaged && !caller.signal.aborted) this.#lastList.set(view, resources);
    return resources;
  }

  /** @param templates all templates of one plugin that list resources; at least one */
  async #listOfPlugin(templates: readonly Resource[], caller: Caller): Promise<readonly ResourceDefinition[]> {
    const [{ runner, path, plugin }] = templates as [Resource];
    const outcomes = await Promise.all(templates.map((template) => this.#callList(template, caller)));
    const { Limits: limits } = this.#services.settings.Plugins;
    const lists = await Promise.all(templates.map((template, index) => entriesOf(template, outcomes[index]!, limits)));
    const resources = lists.flatMap(({ entries }) => entries);
    const checked = await checkDefinition({ resources }, { file: path, prefix: '', limits });
    const problems = [...lists.flatMap((list) => list.problems), ...checked.problems]
      .slice(0, MAX_PROBLEMS)
      .map((problem) => ({ ...problem, severity: 'warning' as const }));
    if (!caller.signal.aborted) this.#noteProblems({ path, plugin, runner }, problems);
    return checked.resources;
  }

  #callList(template: Resource, caller: Caller): Promise<ListOutcome> {
    const call = new ListCall(this.#services, template, caller);
    return runWithLimits<ListOutcome>(call, (channel) =>
      template.runner.run({ do: 'list', key: call.target }, channel),
    );
  }

  /** Keeps the problems for `mortise://plugins`, and logs those that are new. */
  #noteProblems(
    { path, plugin, runner }: Pick<Resource, 'path' | 'plugin' | 'runner'>,
    problems: readonly PluginProblem[],
  ): void {
    const loggedMessages = new Set(this.problemsOf(path).map(({ message }) => message));
    if (problems.length === 0) this.#problems.delete(path);
    else this.#problems.set(path, { runner, problems });
    for (const { message, code, hint } of problems) {
      if (!loggedMessages.has(message)) this.#services.log.warn(message, { plugin, code, hint });
    }
  }
}

async function entriesOf(template: Resource, outcome: ListOutcome, limits: PluginLimits): Promise<TemplateEntries> {
  if (outcome.kind !== 'success') return { entries: [], problems: [listProblem(template, failureOf(outcome))] };
  const { entries, faults } = await checkEntries(template.definition.uriTemplate!, outcome.resources, limits);
  return { entries, problems: faults.map((fault) => listProblem(template, fault)) };
}

/**
 * Returns the entries whose URIs fit the template, and one fault for each reason why others are not listed. Returns at
 * most one entry more than the limit, so that checkDefinition reports that there are too many.
 */
export async function checkEntries(
  uriTemplate: string,
  resources: readonly unknown[],
  limits: Pick<PluginLimits, 'Resources' | 'UriChars'>,
): Promise<{ entries: unknown[]; faults: ListFault[] }> {
  const entries: unknown[] = [];
  const unfit: string[] = [];
  const tooLong: string[] = [];
  const unchecked: string[] = [];
  let steps = 0;
  let stepsAtPause = 0;
  for (const entry of resources.slice(0, limits.Resources + 1)) {
    const { uri } = (entry ?? {}) as { uri?: unknown };
    const isText = typeof uri === 'string';
    const name = isText ? uri.slice(0, 200) : 'an entry without a uri';
    const isTooLong = isText && uri.length > limits.UriChars;
    if (isText && !isTooLong) steps += matchSteps(uriTemplate, uri);
    if (isTooLong) tooLong.push(name);
    else if (isText && steps > MAX_LIST_MATCH_STEPS) unchecked.push(name);
    else if (isText && matchTemplate(uriTemplate, uri)) entries.push(entry);
    else unfit.push(name);
    if (steps - stepsAtPause < MAX_MATCH_STEPS) continue;
    stepsAtPause = steps;
    await nextTurn();
  }
  const maxChars = limits.UriChars.toLocaleString('en');
  const faults = [
    faultOf(unfit, 'does not fit the template', `List only resources whose uri fits ${uriTemplate}.`),
    faultOf(tooLong, `is longer than ${maxChars} characters`, 'Shorten the uri, or raise Plugins.Limits.UriChars.'),
    faultOf(unchecked, 'comes after the limit of work to match one list', 'List fewer resources or shorter uris.'),
  ];
  return { entries, faults: faults.filter((fault) => fault !== undefined) };
}

function faultOf([first, ...others]: readonly string[], reason: string, hint: string): ListFault | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return { message: `${first}${more} ${reason} and is not listed`, hint };
}

function listProblem({ definition, path }: Resource, { message, hint }: ListFault): PluginProblem {
  const subject = definition.uriTemplate!;
  return {
    severity: 'warning',
    code: 'RESOURCE_LIST_FAILED',
    message: `list of ${subject}: ${message}`,
    hint,
    location: { file: path, subject },
  };
}

function failureOf(outcome: ErrorOutcome | InputRequiredOutcome): ListFault {
  const [error] = outcome.kind === 'error' ? outcome.errors : [];
  const { message } = error ?? { message: 'it asked a question, and a list function cannot ask' };
  return {
    message: typeof message === 'string' ? message : JSON.stringify(message.json),
    hint: error?.hint ?? 'Correct the list function of this template; it must return an array of { uri, name }.',
  };
}

/** A call of a template's list function. Its plugin code cannot ask the caller for input. */
class ListCall extends LimitedCall {
  readonly kind = 'list';
  readonly target: string;

  constructor(services: CallServices, template: Resource, { signal, client, principal }: Caller) {
    super(services, { signal, ...(client && { client }), principal, clientCapabilities: {}, inputMode: 'ask' });
    this.target = template.definition.uriTemplate!;
    this.owner = template;
    this.timeoutMs = Math.min(LIST_MS, services.settings.Tools.TimeoutMs);
    this.graceMs = 0;
  }
}
