import { describeValue } from './describe.js';
import { hiddenProblems, type LoadProblemCode, loadProblem } from './load-problem.js';
import type { PromptDefinition, ResourceDefinition, ToolDefinition } from './plugin-instance.js';
import { type PluginProblem, PROBLEM_CODES, type ProblemCode, type ProblemLocation } from './problem.js';
import { beginning, shortName } from './quoted.js';
import { readPromptDefinition, refuseReserved } from './registered-prompts.js';
import { MalformedRegistration, ReservedUri, readResourceDefinition } from './registered-resources.js';
import { isJsonObject } from './to-json-value.js';
import { readToolDefinition } from './tool-definition.js';

/** Whose definition it is that crossed the boundary of a process, or was read from a file. */
export interface EntrySource {
  /** Where problems say that they are. */
  readonly file: string;
  /** Begins the names of tools and prompts: `mcp.github.` for a mounted server, nothing for a plugin. */
  readonly prefix: string;
}

/** One entry of a definition, or none where a problem refuses it. */
export interface ReadEntry<D = ToolDefinition | ResourceDefinition | PromptDefinition> {
  readonly definition?: D;
  readonly problems: readonly PluginProblem[];
}

/** What the lists of a definition hold. */
export interface ProvidedLists {
  tools: ToolDefinition;
  resources: ResourceDefinition;
  prompts: PromptDefinition;
}

/**
 * Reads one entry of a definition that says of itself that it was checked, by the rules of registration: whoever sends
 * it may be anybody. Values are JSON. Never throws.
 */
export const READ_ENTRY: {
  readonly [K in keyof ProvidedLists]: (given: unknown, source: EntrySource) => ReadEntry<ProvidedLists[K]>;
} = { tools: readTool, resources: readResource, prompts: readPrompt };

function readTool(given: unknown, { file, prefix }: EntrySource): ReadEntry<ToolDefinition> {
  if (!isJsonObject(given))
    return refused('TOOL_MALFORMED', `A tool is ${describeValue(given)}, not an object.`, { file });
  const { name, origin } = given;
  const subject = typeof name === 'string' ? { subject: shortName(name, MAX_SUBJECT) } : {};
  const location = { file, ...subject };
  if (typeof name === 'string' && !name.startsWith(prefix))
    return refused('TOOL_NAME_INVALID', `A tool's name does not begin with '${prefix}'.`, location);
  const own = typeof name === 'string' ? name.slice(prefix.length) : name;
  return readToolDefinition({ ...given, name: own }, originOf(origin), location, prefix);
}

function readResource(given: unknown, { file }: EntrySource): ReadEntry<ResourceDefinition> {
  return attempt('RESOURCE_MALFORMED', file, () => {
    const definition = readResourceDefinition(given);
    const key = (definition.uri ?? definition.uriTemplate)!;
    return { ...definition, completes: completesOf(given, `Resource ${shortName(key, MAX_SUBJECT)}`) };
  });
}

function readPrompt(given: unknown, { file, prefix }: EntrySource): ReadEntry<PromptDefinition> {
  return attempt('PROMPT_MALFORMED', file, () => {
    const { name } = (given ?? {}) as { name?: unknown };
    if (typeof name === 'string' && !name.startsWith(prefix))
      throw new MalformedRegistration(`A prompt's name does not begin with '${prefix}'.`);
    const own = typeof name === 'string' && isJsonObject(given) ? { ...given, name: name.slice(prefix.length) } : given;
    const definition = readPromptDefinition(own);
    if (prefix === '') refuseReserved(definition.name);
    const completes = completesOf(given, `prompt '${definition.name}'`);
    return { ...definition, name: prefix + definition.name, completes };
  });
}

function attempt<D extends { name: string }>(code: LoadProblemCode, file: string, read: () => D): ReadEntry<D> {
  try {
    const definition = read();
    const subject = shortName(definition.name, MAX_SUBJECT);
    const kind = code === 'PROMPT_MALFORMED' ? 'Prompt' : 'Resource';
    return { definition, problems: hiddenProblems(`${kind} '${subject}'`, definition, { file, subject }) };
  } catch (error) {
    if (!(error instanceof MalformedRegistration)) throw error;
    return refused(error instanceof ReservedUri ? 'RESOURCE_URI_RESERVED' : code, error.message, { file });
  }
}

function completesOf(given: unknown, subject: string): string[] {
  const { completes } = given as { completes?: unknown };
  if (completes === undefined) return [];
  if (!Array.isArray(completes) || !completes.every((name) => typeof name === 'string'))
    throw new MalformedRegistration(`The completed names of ${subject} are not a list of names.`);
  return completes;
}

const refused = (code: LoadProblemCode, message: string, location: ProblemLocation): { problems: PluginProblem[] } => ({
  problems: [loadProblem(code, message, location)],
});

const MAX_SUBJECT = 128;
const originOf = (origin: unknown): string => (typeof origin === 'string' ? shortName(origin, MAX_SUBJECT) : 'plugin');

/** What a message of a problem shows at the most, in characters. */
const MAX_MESSAGE = 4_000;

/** The problems that a plugin's process tells of; what is not a problem is ignored. They have no `data`. */
export function readProblems(given: unknown, { file }: EntrySource): PluginProblem[] {
  return Array.isArray(given) ? given.flatMap((each) => readProblem(each, file) ?? []) : [];
}

function readProblem(given: unknown, file: string): PluginProblem | undefined {
  if (!isJsonObject(given)) return undefined;
  const { severity, code, message, hint, location } = given;
  if (!isCode(code) || typeof message !== 'string' || typeof hint !== 'string') return undefined;
  return {
    severity: severity === 'warning' ? 'warning' : 'error',
    code,
    message: beginning(message, MAX_MESSAGE),
    hint: beginning(hint, MAX_MESSAGE),
    location: isJsonObject(location) ? toLocation(location, file) : { file },
  };
}

const isCode = (code: unknown): code is ProblemCode => typeof code === 'string' && Object.hasOwn(PROBLEM_CODES, code);

function toLocation({ file, line, column, subject }: Record<string, unknown>, own: string): ProblemLocation {
  return {
    file: typeof file === 'string' ? shortName(file, MAX_MESSAGE) : own,
    ...(Number.isSafeInteger(line) && { line: line as number }),
    ...(Number.isSafeInteger(column) && { column: column as number }),
    ...(typeof subject === 'string' && { subject: shortName(subject, MAX_SUBJECT) }),
  };
}
