import type { JsonSchema } from '@mortise/plugin';
import {
  ENTRY_PARSERS,
  type EntrySource,
  hiddenProblems,
  isJsonObject,
  type ParsedEntry,
  type PluginDefinition,
  type PluginProblem,
  type ProblemCode,
  type ProvidedLists,
  parseProblems,
  type SettingsRequest,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { prepareMetaCheck } from '../../json-schema/meta-check.js';
import { checkSchemas } from '../../json-schema/validate-tool-schemas.js';
import { limitProblem, limitViolation } from '../../settings/limit-violation.js';
import { DEFAULT_LIMITS, type PluginLimits } from '../../settings/plugin-limits.js';
import { inTurns } from '../../util/in-turns.js';
import { boundLists, type Lists } from './bound-definition.js';
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

/** The origin of a definition, and the rules that it is checked by. */
export interface DefinitionSource extends EntrySource {
  /** The plugin validates arguments itself, so a tool with a doubtful schema is kept and the schema is not checked. */
  readonly judgesArguments?: boolean;
  /** Default {@link DEFAULT_LIMITS}. */
  readonly limits?: PluginLimits;
}

/**
 * Validates the definition that a plugin's process or a mounted server has sent. This is the only place where such a
 * definition becomes a trusted value. An entry that breaks a rule is removed and becomes a problem; the others are
 * kept. Never rejects. Works in turns of the event loop, because a thousand tools take tenths of a second.
 * @param value any JSON value
 */
export async function checkDefinition(value: unknown, source: DefinitionSource): Promise<PluginDefinition> {
  const raw = (typeof value === 'object' && value !== null ? value : {}) as Record<keyof PluginDefinition, unknown>;
  const { tools, resources, prompts, problems } = raw;
  const lists = boundLists(
    { tools: listOf(tools), resources: listOf(resources), prompts: listOf(prompts), problems: listOf(problems) },
    source.limits ?? DEFAULT_LIMITS,
    source.file,
  );
  await prepareMetaCheck(lists.tools.map(schemasOf));
  return inTurns(checkSteps(raw, lists, source));
}

/** Yields after each tool, because checking its schemas takes a while. */
function* checkSteps(
  raw: Record<keyof PluginDefinition, unknown>,
  lists: Lists,
  source: DefinitionSource,
): Generator<void, PluginDefinition> {
  const instructions = checkInstructions(raw.instructions, source);
  const problems = new Problems(parseProblems(lists.problems, source));
  const accepted: Record<Kind, Entry[]> = { tools: [], resources: [], prompts: [] };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const keys = new Set<string>();
    for (const entry of lists[kind]) {
      const read = kind === 'tools' ? checkTool(entry, source) : ENTRY_PARSERS[kind](entry, source);
      problems.add(read.problems);
      const { definition } = read;
      if (definition && keys.has(keyOf(kind, definition))) problems.add([duplicate(kind, definition, source)]);
      else if (definition) {
        keys.add(keyOf(kind, definition));
        accepted[kind].push(definition);
      }
      if (kind === 'tools') yield;
    }
  }
  problems.add(instructions.problems);
  return {
    ...(accepted as { [K in Kind]: ProvidedLists[K][] }),
    problems: problems.list,
    ...(instructions.text !== undefined && { instructions: instructions.text }),
    ...(isSettingsRequest(raw.settings) && { settings: raw.settings }),
  };
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

/** True if the value has the form of a plugin's request for its settings. */
export function isSettingsRequest(value: unknown): value is SettingsRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { name, secrets } = value as Record<string, unknown>;
  const isPath = (path: unknown) => Array.isArray(path) && path.every((key) => typeof key === 'string');
  return (name === undefined || typeof name === 'string') && Array.isArray(secrets) && secrets.every(isPath);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const keyOf = (kind: Kind, entry: Entry): string => (KINDS[kind].key as (entry: Entry) => string)(entry);

/** Returns the schemas of a tool that is not validated yet; `{}` for a missing or malformed one. */
function schemasOf(tool: unknown): { inputSchema: JsonSchema; outputSchema: JsonSchema } {
  const { inputSchema, outputSchema } = isJsonObject(tool) ? tool : {};
  return {
    inputSchema: isSchemaObject(inputSchema) ? inputSchema : {},
    outputSchema: isSchemaObject(outputSchema) ? outputSchema : {},
  };
}

function checkTool(entry: unknown, source: DefinitionSource): ParsedEntry<ToolDefinition> {
  const { file, judgesArguments } = source;
  if (!judgesArguments || !isJsonObject(entry)) return withoutBadSchemas(ENTRY_PARSERS.tools(entry, source), file);
  const listable = withListableSchemas(entry, file);
  const { definition, problems } = withSchemaDoubts(ENTRY_PARSERS.tools(listable.entry, source), file);
  return { ...(definition && { definition }), problems: [...listable.problems, ...problems] };
}

function withoutBadSchemas(read: ParsedEntry<ToolDefinition>, file: string): ParsedEntry<ToolDefinition> {
  const { definition, problems } = read;
  const schemaProblems = definition ? checkSchemas(definition, file) : [];
  return schemaProblems.length === 0 ? read : { problems: [...problems, ...schemaProblems] };
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

/** A list of problems without duplicates, because a plugin's process usually reports the same ones as the server. */
class Problems {
  readonly list: PluginProblem[] = [];
  readonly #keys = new Set<string>();

  constructor(first: readonly PluginProblem[]) {
    this.add(first);
  }

  add(problems: readonly PluginProblem[]): void {
    for (const problem of problems) {
      const key = `${problem.code} ${problem.message}`;
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      this.list.push(problem);
    }
  }
}
