import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type EntrySource,
  hiddenProblems,
  type PluginDefinition,
  type PluginProblem,
  type ProblemCode,
  type ProvidedLists,
  parseProblems,
  READ_ENTRY,
  type ReadEntry,
  type SettingsRequest,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { DefinitionSource } from '../../core/plugin-definition.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import { prepareMetaCheck } from '../../json-schema/meta-check.js';
import { checkSchemaShapes, checkSchemas } from '../../json-schema/validate-tool-schemas.js';
import { limitProblem, limitViolation } from '../../settings/limit-violation.js';
import { DEFAULT_LIMITS, type PluginLimits } from '../../settings/plugin-limits.js';
import { atOnce, inTurns } from '../../util/in-turns.js';
import { boundLists } from './bound-definition.js';
import { withListableSchemas, withSchemaDoubts } from './doubtful-schemas.js';

type Kind = keyof ProvidedLists;
type Entry = ProvidedLists[Kind];

const KINDS: { readonly [K in Kind]: { key(entry: ProvidedLists[K]): string; what: string; duplicate: ProblemCode } } =
  {
    tools: { key: ({ name }) => name, what: 'Tool', duplicate: 'TOOL_NAME_DUPLICATE' },
    resources: {
      key: ({ uri, uriTemplate }) => uri ?? uriTemplate!,
      what: 'Resource',
      duplicate: 'RESOURCE_DUPLICATE',
    },
    prompts: { key: ({ name }) => name, what: 'Prompt', duplicate: 'PROMPT_DUPLICATE' },
  };

/** The results of checked entries; each entry is checked once, and its result is not checked again. */
const checked = new WeakMap<object, ReadEntry<Entry>>();
/** Checked definitions, with the source that they were checked for. */
const checkedFrom = new WeakMap<object, DefinitionSource>();

/**
 * Definitions are the word of a plugin's process, of a mounted server, or of a file: here, and only here, they become what
 * the server goes by. An entry that breaks a rule is dropped with a problem; the rest stays. Never throws.
 *
 * @param value any JSON value
 */
export const checkDefinition = (value: unknown, source: DefinitionSource): PluginDefinition =>
  atOnce(checkSteps(value, source));

/** {@link checkDefinition} for long lists, while others are served: a thousand tools take tenths of a second. */
export const checkLongDefinition = (value: unknown, source: DefinitionSource): Promise<PluginDefinition> =>
  inTurns(checkSteps(value, source));

/**
 * The checked definition, if the plugin has sent it again: mostly it is what was cached, and to check its schemas would take
 * longer than the call that waits for it.
 */
export function checkUnlessSame(
  value: unknown,
  source: DefinitionSource,
  known: PluginDefinition | undefined,
): PluginDefinition {
  return known && isDeepStrictEqual(value, known) ? known : checkDefinition(value, source);
}

/** The location for problems of a candidate's definition, and the prefix of its names. */
export function sourceOf(candidate: Candidate, limits?: PluginLimits): DefinitionSource {
  const { entry, path, name } = candidate;
  const { hasNamePrefix, judgesArguments } = traitsOf(candidate);
  return {
    ...(limits && { limits }),
    file: entry ?? path,
    prefix: hasNamePrefix ? `${name}.` : '',
    judgesArguments,
  };
}

/** {@link checkDefinition}, which stops after each tool: looking into its schemas takes its time. */
function* checkSteps(value: unknown, source: DefinitionSource): Generator<void, PluginDefinition> {
  if (isChecked(value, source)) return value;
  const raw = (typeof value === 'object' && value !== null ? value : {}) as Record<
    Kind | 'problems' | 'settings' | 'instructions',
    unknown
  >;
  const { tools, resources, prompts, problems: own, settings } = raw;
  const instructions = checkInstructions(raw.instructions, source);
  const lists = boundLists(
    { tools: listOf(tools), resources: listOf(resources), prompts: listOf(prompts), problems: listOf(own) },
    source.limits ?? DEFAULT_LIMITS,
    source.file,
  );
  const problems = new Problems(parseProblems(lists.problems, source));
  const found: Record<Kind, Entry[]> = { tools: [], resources: [], prompts: [] };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const keys = new Set<string>();
    for (const entry of lists[kind]) {
      const read = checkEntry(kind, entry, source);
      problems.add(read.problems);
      const { definition } = read;
      if (definition && keys.has(keyOf(kind, definition))) problems.add([duplicate(kind, definition, source)]);
      else if (definition) {
        keys.add(keyOf(kind, definition));
        found[kind].push(definition);
      }
      if (kind === 'tools') yield;
    }
  }
  problems.add(instructions.problems);
  const definition: PluginDefinition = {
    ...(found as { [K in Kind]: ProvidedLists[K][] }),
    problems: problems.list,
    ...(instructions.text !== undefined && { instructions: instructions.text }),
    ...(isSettingsRequest(settings) && { settings }),
  };
  checkedFrom.set(definition, source);
  return definition;
}

function checkInstructions(
  value: unknown,
  { file, prefix, limits = DEFAULT_LIMITS }: DefinitionSource,
): { text?: string; problems: PluginProblem[] } {
  if (typeof value !== 'string' || value.trim() === '') return { problems: [] };
  const location = { file, subject: 'instructions' };
  if (value.length > limits.DescriptionChars) {
    const violation = limitViolation(limits, 'DescriptionChars', 'Its instructions', value.length);
    return { problems: [limitProblem(violation, location)] };
  }
  return {
    text: value,
    problems: hiddenProblems(prefix === '' ? 'the plugin' : 'the server', { instructions: value }, location),
  };
}

/** Whether it is what this check came to before, by the same rules. */
function isChecked(
  value: unknown,
  { file, prefix, limits, areSchemasValidated, judgesArguments }: DefinitionSource,
): value is PluginDefinition {
  const source = checkedFrom.get(value as object);
  return (
    source !== undefined &&
    source.file === file &&
    source.prefix === prefix &&
    source.limits === limits &&
    source.areSchemasValidated === areSchemasValidated &&
    source.judgesArguments === judgesArguments
  );
}

/** Whether it has the form of what a plugin asks for of its settings. */
export function isSettingsRequest(value: unknown): value is SettingsRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { name, secrets } = value as Record<string, unknown>;
  const isPath = (path: unknown) => Array.isArray(path) && path.every((key) => typeof key === 'string');
  return (name === undefined || typeof name === 'string') && Array.isArray(secrets) && secrets.every(isPath);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const keyOf = (kind: Kind, entry: Entry): string => (KINDS[kind].key as (entry: Entry) => string)(entry);

function checkEntry(kind: Kind, entry: unknown, source: DefinitionSource): ReadEntry<Entry> {
  if (typeof entry !== 'object' || entry === null) return READ_ENTRY[kind](entry, source);
  const cached = checked.get(entry);
  if (cached) return cached;
  const read = kind === 'tools' ? checkTool(entry, source) : READ_ENTRY[kind](entry, source);
  checked.set(entry, read);
  if (read.definition) checked.set(read.definition, { definition: read.definition, problems: [] });
  return read;
}

function checkTool(entry: object, source: DefinitionSource): ReadEntry<ToolDefinition> {
  const { file, areSchemasValidated } = source;
  if (!source.judgesArguments) return withSchemas(READ_ENTRY.tools(entry, source), source);
  const listable = withListableSchemas(entry, file);
  const read = READ_ENTRY.tools(listable.entry, source);
  const { definition, problems } = areSchemasValidated ? read : withSchemaDoubts(read, file);
  return { ...(definition && { definition }), problems: [...listable.problems, ...problems] };
}

function withSchemas(
  read: ReadEntry<ToolDefinition>,
  { file, areSchemasValidated }: DefinitionSource,
): ReadEntry<ToolDefinition> {
  const { definition } = read;
  if (!definition) return read;
  const wrong = (areSchemasValidated ? checkSchemaShapes : checkSchemas)(definition, file);
  return wrong.length === 0 ? read : { problems: [...read.problems, ...wrong] };
}

/**
 * Looks into the schemas of a definition that were taken for known. Whether one of them is bad: then
 * {@link checkDefinition} drops its tool from now on. Those of a mounted server are checked when they are read.
 */
export async function recheckSchemas(
  definition: PluginDefinition,
  { file, judgesArguments }: DefinitionSource,
): Promise<boolean> {
  let isBad = false;
  if (judgesArguments) return isBad;
  await prepareMetaCheck(definition.tools);
  for (const tool of definition.tools) {
    const problems = checkSchemas(tool, file);
    if (problems.length > 0) {
      checked.set(tool, { problems });
      checkedFrom.delete(definition);
    }
    isBad ||= problems.length > 0;
    await nextTurn();
  }
  return isBad;
}

function duplicate(kind: Kind, entry: Entry, { file }: EntrySource): PluginProblem {
  const { what, duplicate: code } = KINDS[kind];
  const key = keyOf(kind, entry).slice(0, 200);
  return {
    severity: 'error',
    code,
    message: `${what} '${key}' is refused: it is defined twice.`,
    hint: 'Rename one of the two, or remove it.',
    location: { file, subject: key },
  };
}

/** Problems without duplicates, because an honest plugin process finds the same ones as the server. */
class Problems {
  readonly list: PluginProblem[] = [];
  readonly #cached = new Set<string>();

  constructor(first: readonly PluginProblem[]) {
    this.add(first);
  }

  add(problems: readonly PluginProblem[]): void {
    for (const problem of problems) {
      const key = `${problem.code} ${problem.message}`;
      if (this.#cached.has(key)) continue;
      this.#cached.add(key);
      this.list.push(problem);
    }
  }
}
