import { isJsonObject, type PluginDefinition, type PluginProblem } from '@mortise/plugin/runtime';
import { type Bound, boundViolation, limitProblem, limitViolation, moreThan } from '../../settings/limit-violation.js';
import type { LimitName, PluginLimits } from '../../settings/plugin-limits.js';
import { estimateJsonSize } from '../../util/json-size.js';

export type Lists = Record<'tools' | 'resources' | 'prompts' | 'problems', readonly unknown[]>;

type Entry = Record<string, unknown>;

const PROMPT_ARGUMENTS: Bound = { limit: 'PromptArguments', most: 100, unit: 'arguments' };
/** Of one resource template, those of its query included. */
const TEMPLATE_VARIABLES: Bound = { limit: 'TemplateVariables', most: 20, unit: 'variables' };
/** Problems of one limit that are told of one by one; of more only their number is. */
const MAX_PROBLEMS = 10;
/** The maximum number of problems that a plugin's own process can report. */
const MAX_OWN_PROBLEMS = 500;
/** The sizes of entries, as far as they were counted: definitions are replaced, never changed. */
const sizes = new WeakMap<object, number>();

/**
 * The lists of a plugin within its limits, counted before any entry is examined; entries beyond the limits are dropped with
 * a problem. Returns the same lists if nothing is dropped.
 * @param lists any JSON values
 */
export function boundLists(lists: Lists, limits: PluginLimits, file: string): Lists {
  const bound = new WithinLimits(limits, file);
  const isTemplate = (entry: unknown) => isJsonObject(entry) && entry.uriTemplate !== undefined;
  const tools = bound.take('Tools', lists.tools);
  const fixed = bound.take('Resources', lists.resources, (entry) => !isTemplate(entry));
  const templates = bound.take('Templates', lists.resources, isTemplate);
  const prompts = bound.take('Prompts', lists.prompts);
  const problems = lists.problems
    .slice(0, MAX_OWN_PROBLEMS)
    .filter((problem) => sizeOf(problem, limits) <= limits.EntryBytes);
  return { tools, resources: [...fixed, ...templates], prompts, problems: [...problems, ...bound.problems()] };
}

/** The same for a definition in the plugin's own process, so that nothing beyond the limits is sent. */
export function boundDefinition(definition: PluginDefinition, limits: PluginLimits, file: string): PluginDefinition {
  return { ...definition, ...boundLists(definition, limits, file) } as unknown as PluginDefinition;
}

class WithinLimits {
  readonly #limits: PluginLimits;
  readonly #file: string;
  readonly #found = new Map<string, PluginProblem[]>();
  #leftBytes: number;

  constructor(limits: PluginLimits, file: string) {
    this.#limits = limits;
    this.#file = file;
    this.#leftBytes = limits.DefinitionBytes;
  }

  /** As many entries as the limits allow, those that come first. */
  take(limit: 'Tools' | 'Resources' | 'Templates' | 'Prompts', list: readonly unknown[], isOne = (_: unknown) => true) {
    const most = this.#limits[limit];
    const accepted: unknown[] = [];
    let count = 0;
    for (const entry of list) {
      if (!isOne(entry)) continue;
      count += 1;
      if (count <= most && this.#isWithinLimits(entry)) accepted.push(entry);
    }
    if (count > most) this.#refuse(limit, 'The plugin', count);
    return accepted;
  }

  problems(): PluginProblem[] {
    return [...this.#found.values()].flatMap((found) => {
      const more = found.length - MAX_PROBLEMS;
      if (more <= 0) return found;
      const [first] = found;
      return [...found.slice(0, MAX_PROBLEMS), { ...first!, message: `${first!.message}; so do ${more} more entries` }];
    });
  }

  #isWithinLimits(entry: unknown): boolean {
    if (!isJsonObject(entry)) return true;
    const bytes = sizeOf(entry, this.#limits);
    const name = nameOf(entry);
    const subject = `'${name}'`;
    if (bytes > this.#limits.EntryBytes) {
      return this.#refuse('EntryBytes', subject, moreThan(this.#limits.EntryBytes), name);
    }
    for (const [limit, found] of measure(entry)) {
      const most = typeof limit === 'string' ? this.#limits[limit] : limit.most;
      if (found > most) return this.#refuse(limit, subject, found, name);
    }
    if (bytes > this.#leftBytes) {
      this.#leftBytes = 0;
      return this.#refuse('DefinitionBytes', 'The plugin', moreThan(this.#limits.DefinitionBytes));
    }
    this.#leftBytes -= bytes;
    return true;
  }

  /** @param found how much there is */
  #refuse(limit: LimitName | Bound, subject: string, found: number | string, name?: string): false {
    const violation =
      typeof limit === 'string'
        ? limitViolation(this.#limits, limit, subject, found)
        : boundViolation(limit, subject, found);
    const reported = this.#found.get(violation.limit) ?? [];
    this.#found.set(violation.limit, reported);
    const location = { file: this.#file, ...(name !== undefined && { subject: name }) };
    const hasSummary = name === undefined && reported.length > 0;
    if (!hasSummary) reported.push(limitProblem(violation, location));
    return false;
  }
}

/** What is counted in an entry; missing members and those of another type are for the check of definitions. */
function measure(entry: Entry): [LimitName | Bound, number][] {
  const { title, description, uri, uriTemplate, name } = entry;
  const args = Array.isArray(entry.arguments) ? entry.arguments : [];
  const texts = [title, description, name, ...args.slice(0, MAX_OWN_PROBLEMS).flatMap(textsOf)];
  return [
    [PROMPT_ARGUMENTS, args.length],
    ['DescriptionChars', Math.max(...texts.map(lengthOf))],
    ['UriChars', Math.max(lengthOf(uri), lengthOf(uriTemplate))],
    [TEMPLATE_VARIABLES, typeof uriTemplate === 'string' ? variablesIn(uriTemplate) : 0],
  ];
}

const textsOf = (argument: unknown) =>
  isJsonObject(argument) ? [argument.name, argument.title, argument.description] : [];

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);

/** The variables of an RFC 6570 template: one for each expression, and one for each comma in it. */
function variablesIn(template: string): number {
  let count = 0;
  let isInside = false;
  for (const char of template) {
    if (char === '{') isInside = true;
    if (char === '}') isInside = false;
    if (char === '{' || (char === ',' && isInside)) count += 1;
  }
  return count;
}

function sizeOf(entry: unknown, { EntryBytes }: PluginLimits): number {
  if (!isJsonObject(entry)) return estimateJsonSize(entry, EntryBytes);
  const reported = sizes.get(entry);
  if (reported !== undefined) return reported;
  const size = estimateJsonSize(entry, EntryBytes);
  sizes.set(entry, size);
  return size;
}

function nameOf({ name, uri, uriTemplate }: Entry): string {
  const named = [name, uri, uriTemplate].find((item) => typeof item === 'string') ?? '';
  return String(named).slice(0, 200);
}
