import { isJsonObject } from '../json.js';
import { describeValue } from './describe.js';
import { hiddenProblems, type LoadProblemCode, loadProblem } from './load-problem.js';
import type { PromptDefinition, ResourceDefinition, ToolDefinition } from './plugin-instance.js';
import { type PluginProblem, PROBLEM_CODES, type ProblemCode, type ProblemLocation } from './problem.js';
import { cutAtWord, shortName } from './quoted.js';
import { parsePromptDefinition, refuseReserved } from './registered-prompts.js';
import { MalformedRegistrationError, parseResourceDefinition, ReservedUriError } from './registered-resources.js';
import { parseToolDefinition } from './tool-definition.js';
import { MAX_NAME_CHARS } from './tool-name.js';

export interface EntrySource {
  /** The file in the locations of problems. */
  readonly file: string;
  /** The prefix of the names of tools and prompts: `mcp.github.` for a mounted server, '' for a plugin. */
  readonly prefix: string;
}

/** `definition` is absent if a problem refuses the entry. */
export interface ParsedEntry<D = ToolDefinition | ResourceDefinition | PromptDefinition> {
  readonly definition?: D;
  readonly problems: readonly PluginProblem[];
}

export interface ProvidedLists {
  tools: ToolDefinition;
  resources: ResourceDefinition;
  prompts: PromptDefinition;
}

/**
 * The parsers of the entries, one for each list. They apply the rules of registration, because the sender is not
 * trusted. The values are JSON. The functions never throw.
 */
export const ENTRY_PARSERS: {
  readonly [K in keyof ProvidedLists]: (value: unknown, source: EntrySource) => ParsedEntry<ProvidedLists[K]>;
} = { tools: parseTool, resources: parseResource, prompts: parsePrompt };

function parseTool(value: unknown, { file, prefix }: EntrySource): ParsedEntry<ToolDefinition> {
  if (!isJsonObject(value))
    return rejection('TOOL_MALFORMED', `A tool is ${describeValue(value)}, not an object.`, { file });
  const { name, origin } = value;
  const subject = typeof name === 'string' ? { subject: shortName(name, MAX_NAME_CHARS) } : {};
  const location = { ...(isJsonObject(value.definedAt) ? toLocation(value.definedAt, file) : { file }), ...subject };
  if (typeof name === 'string' && !name.startsWith(prefix))
    return rejection('TOOL_NAME_INVALID', `A tool's name does not begin with '${prefix}'.`, location);
  const ownName = typeof name === 'string' ? name.slice(prefix.length) : name;
  return parseToolDefinition({ ...value, name: ownName }, { origin: originOf(origin), location, prefix });
}

function parseResource(value: unknown, { file }: EntrySource): ParsedEntry<ResourceDefinition> {
  return attempt('RESOURCE_MALFORMED', file, () => {
    const definition = parseResourceDefinition(value);
    const { uriTemplate, uri = uriTemplate! } = definition;
    const completes = completesOf(value, `Resource ${shortName(uri, MAX_NAME_CHARS)}`);
    const hasList = uriTemplate !== undefined && (value as { lists?: unknown }).lists === true;
    const hasWatch = (value as { watches?: unknown }).watches === true;
    return { ...definition, completes, ...(hasList && { lists: true }), ...(hasWatch && { watches: true }) };
  });
}

function parsePrompt(value: unknown, { file, prefix }: EntrySource): ParsedEntry<PromptDefinition> {
  return attempt('PROMPT_MALFORMED', file, () => {
    const { name } = (value ?? {}) as { name?: unknown };
    if (typeof name === 'string' && !name.startsWith(prefix))
      throw new MalformedRegistrationError(`A prompt's name does not begin with '${prefix}'.`);
    const prompt =
      typeof name === 'string' && isJsonObject(value) ? { ...value, name: name.slice(prefix.length) } : value;
    const definition = parsePromptDefinition(prompt);
    if (prefix === '') refuseReserved(definition.name);
    const completes = completesOf(value, `prompt '${definition.name}'`);
    return { ...definition, name: prefix + definition.name, completes };
  });
}

function attempt<D extends { name: string }>(code: LoadProblemCode, file: string, read: () => D): ParsedEntry<D> {
  try {
    const definition = read();
    const subject = shortName(definition.name, MAX_NAME_CHARS);
    const kind = code === 'PROMPT_MALFORMED' ? 'Prompt' : 'Resource';
    return { definition, problems: hiddenProblems(`${kind} '${subject}'`, definition, { file, subject }) };
  } catch (error) {
    if (!(error instanceof MalformedRegistrationError)) throw error;
    return rejection(error instanceof ReservedUriError ? 'RESOURCE_URI_RESERVED' : code, error.message, { file });
  }
}

function completesOf(value: unknown, subject: string): string[] {
  const { completes } = value as { completes?: unknown };
  if (completes === undefined) return [];
  if (!Array.isArray(completes) || !completes.every((name) => typeof name === 'string'))
    throw new MalformedRegistrationError(`completes of ${subject} is not a list of names.`);
  return completes;
}

const rejection = (
  code: LoadProblemCode,
  message: string,
  location: ProblemLocation,
): { problems: PluginProblem[] } => ({
  problems: [loadProblem(code, message, location)],
});

const originOf = (origin: unknown): string =>
  typeof origin === 'string' ? shortName(origin, MAX_NAME_CHARS) : 'plugin';

const MAX_MESSAGE_CHARS = 4_000;

/** Reads the problems that a plugin's process reports. Malformed ones are ignored, and `data` is dropped. */
export function parseProblems(value: unknown, { file }: EntrySource): PluginProblem[] {
  return Array.isArray(value) ? value.flatMap((item) => parseProblem(item, file) ?? []) : [];
}

function parseProblem(value: unknown, file: string): PluginProblem | undefined {
  if (!isJsonObject(value)) return undefined;
  const { severity, code, message, hint, location } = value;
  if (!isCode(code) || typeof message !== 'string' || typeof hint !== 'string') return undefined;
  return {
    severity: severity === 'warning' ? 'warning' : 'error',
    code,
    message: cutAtWord(message, MAX_MESSAGE_CHARS),
    hint: cutAtWord(hint, MAX_MESSAGE_CHARS),
    location: isJsonObject(location) ? toLocation(location, file) : { file },
  };
}

const isCode = (code: unknown): code is ProblemCode => typeof code === 'string' && Object.hasOwn(PROBLEM_CODES, code);

function toLocation({ file, line, column, subject }: Record<string, unknown>, own: string): ProblemLocation {
  return {
    file: typeof file === 'string' ? shortName(file, MAX_MESSAGE_CHARS) : own,
    ...(Number.isSafeInteger(line) && { line: line as number }),
    ...(Number.isSafeInteger(column) && { column: column as number }),
    ...(typeof subject === 'string' && { subject: shortName(subject, MAX_NAME_CHARS) }),
  };
}
