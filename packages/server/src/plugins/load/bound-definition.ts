import { isJsonObject, type PluginDefinition, type PluginProblem } from '@mortise/plugin/runtime';
import { type Bound, boundViolation, limitProblem, limitViolation, moreThan } from '../../settings/limit-violation.js';
import type { LimitName, PluginLimits } from '../../settings/plugin-limits.js';
import { estimateJsonSize } from '../../util/json-size.js';

export type Lists = Record<'tools' | 'resources' | 'prompts' | 'problems', readonly unknown[]>;

type Entry = Record<string, unknown>;

const PROMPT_ARGUMENTS: Bound = { limit: 'PromptArguments', most: 100, unit: 'arguments' };
/** Limit for one resource template, including the variables of its query. */
const TEMPLATE_VARIABLES: Bound = { limit: 'TemplateVariables', most: 20, unit: 'variables' };
/** Problems of one limit that are reported separately. Of the others only the number is reported. */
const MAX_PROBLEMS = 10;
/** The maximum number of problems that a plugin's own process can report. */
const MAX_OWN_PROBLEMS = 500;
/** Caches the sizes of entries. They stay valid, because definitions are replaced, never changed. */
const sizes = new WeakMap<object, number>();

/**
 * Limits the lists of a plugin before any entry is validated. Entries beyond the limits are removed and become
 * problems.
 * @param lists any JSON values
 * @param file the location of the problems
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

/**
 * Limits the lists of a definition in the plugin's own process, so that it does not send more than the limits allow.
 */
export function boundDefinition(definition: PluginDefinition, limits: PluginLimits, file: string): PluginDefinition {
  return { ...definition, ...boundLists(definition, limits, file) } as unknown as PluginDefinition;
}

class WithinLimits {
  readonly #limits: PluginLimits;
  readonly #file: string;
  /** The problems by the name of their limit. */
  readonly #problems = new Map<string, PluginProblem[]>();
  #remainingBytes: number;

  constructor(limits: PluginLimits, file: string) {
    this.#limits = limits;
    this.#file = file;
    this.#remainingBytes = limits.DefinitionBytes;
  }

  /** Returns the first entries that are within the limits. @param counts true for the entries of the list that count */
  take(
    limit: 'Tools' | 'Resources' | 'Templates' | 'Prompts',
    list: readonly unknown[],
    counts = (_: unknown) => true,
  ) {
    const maxCount = this.#limits[limit];
    const accepted: unknown[] = [];
    let count = 0;
    for (const entry of list) {
      if (!counts(entry)) continue;
      count += 1;
      if (count <= maxCount && this.#isWithinLimits(entry)) accepted.push(entry);
    }
    if (count > maxCount) this.#refuse(limit, 'The plugin', count);
    return accepted;
  }

  problems(): PluginProblem[] {
    return [...this.#problems.values()].flatMap((problems) => {
      const moreCount = problems.length - MAX_PROBLEMS;
      if (moreCount <= 0) return problems;
      const first = problems[0]!;
      const summary = { ...first, message: `${first.message}; so do ${moreCount} more entries` };
      return [...problems.slice(0, MAX_PROBLEMS), summary];
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
    for (const [limit, amount] of measure(entry)) {
      const maxAmount = typeof limit === 'string' ? this.#limits[limit] : limit.most;
      if (amount > maxAmount) return this.#refuse(limit, subject, amount, name);
    }
    if (bytes > this.#remainingBytes) {
      this.#remainingBytes = 0;
      return this.#refuse('DefinitionBytes', 'The plugin', moreThan(this.#limits.DefinitionBytes));
    }
    this.#remainingBytes -= bytes;
    return true;
  }

  /**
   * Adds a problem, and returns false for the caller to return.
   * @param name the entry; undefined if the plugin as a whole exceeds the limit, which is reported once
   */
  #refuse(limit: LimitName | Bound, subject: string, amount: number | string, name?: string): false {
    const violation =
      typeof limit === 'string'
        ? limitViolation(this.#limits, limit, subject, amount)
        : boundViolation(limit, subject, amount);
    const reported = this.#problems.get(violation.limit) ?? [];
    this.#problems.set(violation.limit, reported);
    const location = { file: this.#file, ...(name !== undefined && { subject: name }) };
    const isReported = name === undefined && reported.length > 0;
    if (!isReported) reported.push(limitProblem(violation, location));
    return false;
  }
}

/**
 * Returns the amounts in an entry that have a limit. Missing or malformed members count as 0: they are validated later.
 */
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

/** Counts the variables of an RFC 6570 template: one for each expression, and one for each comma in an expression. */
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
  const cachedSize = sizes.get(entry);
  if (cachedSize !== undefined) return cachedSize;
  const size = estimateJsonSize(entry, EntryBytes);
  sizes.set(entry, size);
  return size;
}

function nameOf({ name, uri, uriTemplate }: Entry): string {
  const firstText = [name, uri, uriTemplate].find((member) => typeof member === 'string') ?? '';
  return String(firstText).slice(0, 200);
}
