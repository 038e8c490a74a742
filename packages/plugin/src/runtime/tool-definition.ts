import { checksArguments, isDefinedTool } from '../define-tool.js';
import type { Icon } from '../icon.js';
import { isJsonObject, type JsonObject } from '../json.js';
import type { ToolAction, ToolAnnotations } from '../tool.js';
import { checkInputSchema, checkSchema } from './check-tool-schema.js';
import { DefinitionProblems, RefusedToolError } from './definition-problems.js';
import { asSentence, describeError, describeValue } from './describe.js';
import { misspeltMembers } from './likely-mistakes.js';
import { hiddenProblems } from './load-problem.js';
import { parseIcons } from './parse-icons.js';
import { MAX_MEMBER_DEPTH, parseMeta } from './parse-meta.js';
import type { ToolDefinition } from './plugin-instance.js';
import type { PluginProblem, ProblemLocation } from './problem.js';
import { quoted } from './quoted.js';
import { isDeeper, toJsonValue } from './to-json-value.js';
import { MAX_NAME_CHARS, RESERVED_NAME, TOOL_NAME } from './tool-name.js';

/** `definition` is absent if a problem refuses the tool. */
export interface ReadTool {
  definition?: ToolDefinition;
  problems: PluginProblem[];
}

export interface ToolSource {
  /** Such as `class:Greeting`. */
  readonly origin: string;
  readonly location: ProblemLocation;
  /**
   * A prefix for the name; '' for none. Names with a prefix are never reserved. undefined if the author's own object is
   * read; its schemas are then searched for likely mistakes too.
   */
  readonly prefix?: string;
}

/**
 * Reads the definition of a tool as plain data. Every member is read once and checked. The server checks whether the
 * schemas are valid JSON Schema.
 */
export function parseToolDefinition(tool: object, source: ToolSource): ReadTool {
  const { location, prefix } = source;
  const problems = new DefinitionProblems(location, { isOwn: !prefix, isAuthored: prefix === undefined });
  try {
    return { definition: definitionOf(tool, source, problems), problems: problems.problems };
  } catch (error) {
    if (!(error instanceof RefusedToolError))
      problems.add('TOOL_MALFORMED', `The tool cannot be read: ${asSentence(describeError(error))}`);
    return { problems: problems.problems };
  }
}

export const MAX_TITLE_CHARS = 1_000;

const MEMBERS = [
  'name',
  'description',
  'title',
  'inputSchema',
  'outputSchema',
  'wrapsOutput',
  'callsAsTask',
  'annotations',
  'icons',
  '_meta',
  'redaction',
  'timeoutMs',
  'listed',
  'needsTask',
  'checksArguments',
  'actions',
] as const;
type Members = Record<(typeof MEMBERS)[number], unknown>;

function definitionOf(tool: object, { origin, prefix = '' }: ToolSource, problems: DefinitionProblems): ToolDefinition {
  const { file, line } = problems.location;
  const members = readMembers(tool, problems);
  const name = prefix + checkName(members.name, problems);
  problems.tool = `Tool '${name}'`;
  const title = optionalText('title', members.title, problems);
  const description = checkDescription(members.description, problems);
  const inputSchema = checkInputSchema(members.inputSchema, problems);
  const outputSchema =
    members.outputSchema == null ? undefined : checkSchema('outputSchema', members.outputSchema, problems);
  const annotations = members.annotations == null ? undefined : checkAnnotations(members.annotations, problems);
  if (isDefinedTool(tool) && isBlank(title) && isBlank(annotations?.title))
    problems.add('TITLE_MISSING', `${problems.tool} has no title.`);
  const icons = members.icons == null ? undefined : checkIcons(members.icons, problems);
  const meta = members._meta == null ? undefined : checkMeta(members._meta, problems);
  const redaction = members.redaction == null ? undefined : checkRedaction(members.redaction, problems);
  const timeoutMs = members.timeoutMs == null ? undefined : checkTimeout(members.timeoutMs, problems);
  const listed = checkBoolean('listed', members.listed, problems) ?? true;
  const needsTask = checkBoolean('needsTask', members.needsTask, problems) ?? false;
  const isChecked = checkBoolean('checksArguments', members.checksArguments, problems) ?? checksArguments(tool);
  const actions = members.actions == null ? undefined : checkActions(members.actions, problems);
  for (const [member, meant] of misspeltMembers(tool)) {
    problems.add(
      'MEMBER_UNKNOWN',
      `${problems.tool} has the member '${member}', which is not known. Did you mean '${meant}'?`,
    );
  }
  const definition: ToolDefinition = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(outputSchema !== undefined && prefix !== '' && members.wrapsOutput === true && { wrapsOutput: true }),
    ...(prefix !== '' && members.callsAsTask === true && { callsAsTask: true }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
    ...(redaction !== undefined && { redaction }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(!listed && { listed }),
    ...(needsTask && { needsTask }),
    ...(isChecked && { checksArguments: isChecked }),
    ...(actions !== undefined && { actions }),
    origin,
    ...(line !== undefined && { definedAt: { file, line } }),
  };
  const texts = { title, description, inputSchema, outputSchema, annotations, actions, _meta: meta };
  problems.problems.push(...hiddenProblems(problems.tool, texts, problems.location));
  return definition;
}

function readMembers(tool: object, problems: DefinitionProblems): Members {
  const members: Partial<Members> = {};
  for (const member of MEMBERS) {
    try {
      members[member] = (tool as Members)[member];
    } catch (error) {
      problems.refuse('TOOL_MALFORMED', `Reading '${member}' of the tool threw: ${asSentence(describeError(error))}`);
    }
  }
  return members as Members;
}

function checkName(name: unknown, problems: DefinitionProblems): string {
  if (typeof name !== 'string')
    problems.refuse('TOOL_MALFORMED', `The name of the tool is ${describeValue(name)}, not a string.`);
  if (!TOOL_NAME.test(name)) problems.refuse('TOOL_NAME_INVALID', nameFault(name));
  if (problems.isOwn && RESERVED_NAME.test(name))
    problems.refuse('TOOL_NAME_RESERVED', `The tool name '${name}' begins with a reserved prefix.`);
  return name;
}

function nameFault(name: string): string {
  if (name === '') return 'The name of the tool is empty.';
  if (name.length > MAX_NAME_CHARS)
    return `The tool name has ${name.length} characters; at most ${MAX_NAME_CHARS} are allowed.`;
  return `The tool name ${quoted(name)} has characters that MCP does not allow.`;
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

const MAX_DESCRIPTION_CHARS = 2_000;

function checkDescription(description: unknown, problems: DefinitionProblems): string | undefined {
  const text = optionalText('description', description, problems);
  if (text === undefined || isBlank(text)) {
    problems.add('DESCRIPTION_MISSING', `${problems.tool} has no description.`);
    return text;
  }
  if (text.length > MAX_DESCRIPTION_CHARS) {
    problems.add('DESCRIPTION_TOO_LONG', `The description of ${problems.tool} has ${text.length} characters.`);
  }
  return text;
}

function optionalText(member: string, value: unknown, problems: DefinitionProblems): string | undefined {
  if (value == null) return undefined;
  if (typeof value !== 'string') {
    problems.refuse('TOOL_MALFORMED', `The ${member} of ${problems.tool} is ${describeValue(value)}, not a string.`);
  }
  if (member === 'title') checkTitle(value, problems);
  return value;
}

function checkTitle(title: string, problems: DefinitionProblems): void {
  if (title.length <= MAX_TITLE_CHARS) return;
  problems.refuse(
    'TOOL_MALFORMED',
    `The title of ${problems.tool} has ${title.length} characters; at most ${MAX_TITLE_CHARS} are allowed.`,
  );
}

function checkActions(value: unknown, problems: DefinitionProblems): Record<string, ToolAction> {
  const isNames = (names: unknown) =>
    names === undefined || (Array.isArray(names) && names.every((name) => typeof name === 'string'));
  const actions = toJsonValue(value);
  const isValid =
    isJsonObject(actions) &&
    Object.values(actions).every(
      (action) =>
        isJsonObject(action) &&
        isNames(action.required) &&
        isNames(action.optional) &&
        isNames(action.writesWith) &&
        ['undefined', 'boolean'].includes(typeof action.readOnlyHint),
    );
  if (!isValid) {
    problems.refuse(
      'TOOL_MALFORMED',
      `The actions of ${problems.tool} must be an object of { required, optional, writesWith, readOnlyHint }: lists of parameter names, and true or false.`,
    );
  }
  return actions as Record<string, ToolAction>;
}

const HINT_NAMES = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function checkAnnotations(value: unknown, problems: DefinitionProblems): ToolAnnotations {
  const annotations = typeof value === 'object' ? toJsonValue(value) : undefined;
  if (!isJsonObject(annotations) || isDeeper(annotations, MAX_MEMBER_DEPTH)) {
    const fault = isJsonObject(annotations) ? 'nested too deeply' : `${describeValue(value)}, not an object`;
    return problems.refuse('TOOL_MALFORMED', `The annotations of ${problems.tool} are ${fault}.`);
  }
  for (const name of HINT_NAMES) {
    if (annotations[name] === undefined || typeof annotations[name] === 'boolean') continue;
    problems.refuse(
      'TOOL_MALFORMED',
      `annotations.${name} of ${problems.tool} is ${describeValue(annotations[name])}, not a boolean.`,
    );
  }
  if (annotations.title !== undefined && typeof annotations.title !== 'string') {
    problems.refuse(
      'TOOL_MALFORMED',
      `annotations.title of ${problems.tool} is ${describeValue(annotations.title)}, not a string.`,
    );
  }
  if (typeof annotations.title === 'string') checkTitle(annotations.title, problems);
  return annotations;
}

function checkIcons(value: unknown, problems: DefinitionProblems): Icon[] {
  const read = parseIcons(value);
  return 'icons' in read ? read.icons : problems.refuse('TOOL_MALFORMED', `${problems.tool}: ${read.fault}.`);
}

function checkMeta(value: unknown, problems: DefinitionProblems): JsonObject {
  const read = parseMeta(value);
  return 'meta' in read ? read.meta : problems.refuse('TOOL_MALFORMED', `${problems.tool}: ${read.fault}.`);
}

function checkRedaction(value: unknown, problems: DefinitionProblems): 'values-only' {
  if (value === 'values-only') return value;
  return problems.refuse(
    'TOOL_MALFORMED',
    `redaction of ${problems.tool} is ${describeValue(value)}, not "values-only".`,
  );
}

function checkBoolean(member: string, value: unknown, problems: DefinitionProblems): boolean | undefined {
  if (value == null || typeof value === 'boolean') return value ?? undefined;
  return problems.refuse('TOOL_MALFORMED', `${member} of ${problems.tool} is ${describeValue(value)}, not a boolean.`);
}

/** The longest delay of a timer of Node.js. */
const MAX_TIMEOUT_MS = 2_147_483_647;

function checkTimeout(timeoutMs: unknown, problems: DefinitionProblems): number {
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  const value = typeof timeoutMs === 'number' ? String(timeoutMs) : describeValue(timeoutMs);
  return problems.refuse(
    'TOOL_MALFORMED',
    `The timeoutMs of ${problems.tool} is ${value}; it must be a positive number of milliseconds, at most ${MAX_TIMEOUT_MS}.`,
  );
}
