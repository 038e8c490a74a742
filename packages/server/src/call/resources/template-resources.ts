import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorOutcome, ListOutcome, PluginProblem, ResourceDefinition } from '@mortise/plugin/runtime';
import { matchSteps, matchTemplate } from '@mortise/plugin/runtime';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Caller, ListedResource } from '../../core/server-api.js';
import type { Resource, Snapshot } from '../../core/snapshot.js';
import { checkDefinition } from '../../plugins/load/check-definition.js';
import { runWithLimits } from '../call.js';
import type { CallServices } from '../call-services.js';
import { MAX_STEPS } from '../find-resource.js';
import { LimitedCall } from '../limited-call.js';

/** How long listing may take, unless `Tools.TimeoutMs` is less, in milliseconds. */
const LIST_MS = 5_000;
/** How much work the URIs of one template may be to match, as a multiple of that of one URI. */
const MATCH_SHARE = 20;
/** Problems of one plugin that are kept; of more it is enough to know these. */
const MAX_PROBLEMS = 20;

/**
 * Lists the resources of the templates that have a `list` (docs/spec/plugin-api.md#template-list): at each request, all plugins at once. What a plugin
 * does wrong is a problem of that plugin; the resources of the others stay.
 */
export class TemplateResources {
  readonly #services: CallServices;
  readonly #toListed: (definition: ResourceDefinition) => ListedResource;
  /** By the runner, so that a problem ends with the code that has it. */
  readonly #problems = new Map<string, { readonly runner: object; readonly problems: readonly PluginProblem[] }>();
  /** What was listed last of a snapshot, or of a view of it. */
  readonly #last = new WeakMap<Snapshot, readonly ListedResource[]>();

  /** @param toListed a resource as MCP lists it */
  constructor(services: CallServices, toListed: (definition: ResourceDefinition) => ListedResource) {
    this.#services = services;
    this.#toListed = toListed;
  }

  /** undefined if no template lists its resources. @param isLaterPage gives what was listed last, if the plugins are the same */
  list(caller: Caller, isLaterPage: boolean): Promise<readonly ListedResource[]> | undefined {
    const snapshot = this.#services.snapshot(caller.principal);
    const templates = snapshot.templates.filter(({ definition }) => definition.lists);
    if (templates.length === 0) return undefined;
    const last = isLaterPage ? this.#last.get(snapshot) : undefined;
    if (last) return Promise.resolve(last);
    return this.#listAll(snapshot, templates, caller);
  }

  /** The problems of a plugin's lists when they were last asked for. */
  problemsOf(path: string): readonly PluginProblem[] {
    const found = this.#problems.get(path);
    const isCurrent = ({ runner }: Resource) => runner === found?.runner;
    return found && this.#services.snapshot(undefined).templates.some(isCurrent) ? found.problems : [];
  }

  /** The status of a plugin with the problems of its lists. */
  withProblems(status: PluginStatus): PluginStatus {
    return { ...status, problems: [...status.problems, ...this.problemsOf(status.path)] };
  }

  get hasProblems(): boolean {
    return this.#problems.size > 0;
  }

  async #listAll(snapshot: Snapshot, templates: readonly Resource[], caller: Caller): Promise<ListedResource[]> {
    const paths = [...new Set(templates.map(({ path }) => path))];
    const listed = await Promise.all(
      paths.map((path) =>
        this.#listOfPlugin(
          templates.filter((template) => template.path === path),
          caller,
        ),
      ),
    );
    const byUri = new Map<string, ListedResource>();
    const fixed = new Set(snapshot.resources.map(({ definition }) => definition.uri));
    for (const definition of listed.flat()) {
      const uri = definition.uri!;
      if (!fixed.has(uri) && !snapshot.hidesUri?.(uri) && !byUri.has(uri)) byUri.set(uri, this.#toListed(definition));
    }
    const resources = this.#services.redactor.value([...byUri.values()]);
    const isPaged = this.#services.settings.Tools.PageSize > 0;
    if (isPaged && !caller.signal.aborted) this.#last.set(snapshot, resources);
    return resources;
  }

  async #listOfPlugin(templates: readonly Resource[], caller: Caller): Promise<readonly ResourceDefinition[]> {
    const [{ runner, path, plugin }] = templates as [Resource];
    const outcomes = await Promise.all(templates.map((template) => this.#listOf(template, caller)));
    const fitting = await Promise.all(templates.map((template, index) => this.#fitting(template, outcomes[index]!)));
    const { Limits: limits } = this.#services.settings.Plugins;
    const entries = fitting.flatMap(({ entries }) => entries);
    const checked = await checkDefinition({ resources: entries }, { file: path, prefix: '', limits });
    const problems = [...fitting.flatMap(({ problems }) => problems), ...checked.problems]
      .slice(0, MAX_PROBLEMS)
      .map((problem) => ({ ...problem, severity: 'warning' as const }));
    if (!caller.signal.aborted) this.#note({ path, plugin, runner }, problems);
    return checked.resources;
  }

  #listOf(template: Resource, caller: Caller): Promise<ListOutcome> {
    const call = new ListCall(this.#services, template, caller);
    return runWithLimits<ListOutcome>(call, (channel) =>
      template.runner.run({ do: 'list', key: call.target }, channel),
    );
  }

  /** The entries whose URI the template matches. */
  async #fitting({ definition, path }: Resource, outcome: ListOutcome) {
    const template = definition.uriTemplate!;
    const problem = (message: string, hint: string): PluginProblem => ({
      severity: 'warning',
      code: 'RESOURCE_LIST_FAILED',
      message: `list of ${template}: ${message}`,
      hint,
      location: { file: path, subject: template },
    });
    if (outcome.kind !== 'success') {
      const [error] = outcome.kind === 'error' ? outcome.errors : [];
      const hint =
        error?.hint ?? 'Correct the list function of this template; it must return an array of { uri, name }.';
      return { entries: [], problems: [problem(messageOf(error), hint)] };
    }
    const { Resources, UriChars } = this.#services.settings.Plugins.Limits;
    const entries: unknown[] = [];
    const others: string[] = [];
    let steps = 0;
    let stepsAtPause = 0;
    // One more than the limit, so that the check of the entries reports it.
    for (const entry of outcome.resources.slice(0, Resources + 1)) {
      const { uri } = (entry ?? {}) as { uri?: unknown };
      const canMatch = typeof uri === 'string' && uri.length <= UriChars;
      if (canMatch) steps += matchSteps(template, uri);
      if (canMatch && steps <= MATCH_SHARE * MAX_STEPS && matchTemplate(template, uri)) entries.push(entry);
      else others.push(typeof uri === 'string' ? uri.slice(0, 200) : 'an entry without a uri');
      if (steps - stepsAtPause < MAX_STEPS) continue;
      stepsAtPause = steps;
      await nextTurn();
    }
    const [first] = others;
    if (first === undefined) return { entries, problems: [] };
    const more = others.length === 1 ? '' : ` (and ${others.length - 1} more)`;
    const hint = `List only resources whose uri fits ${template}.`;
    return { entries, problems: [problem(`${first}${more} does not fit the template and is not listed`, hint)] };
  }

  /** Keeps the problems for `mortise://plugins`, and logs those that are new. */
  #note(
    { path, plugin, runner }: Pick<Resource, 'path' | 'plugin' | 'runner'>,
    problems: readonly PluginProblem[],
  ): void {
    const before = new Set(this.problemsOf(path).map(({ message }) => message));
    if (problems.length === 0) this.#problems.delete(path);
    else this.#problems.set(path, { runner, problems });
    for (const { message, code, hint } of problems) {
      if (!before.has(message)) this.#services.log.warn(message, { plugin, code, hint });
    }
  }
}

/** Asks a template for its resources. The caller cannot be asked for input. */
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

function messageOf(error: ErrorOutcome['errors'][number] | undefined): string {
  const { message } = error ?? { message: 'it asked a question, which a list cannot' };
  return typeof message === 'string' ? message : JSON.stringify(message.json);
}
