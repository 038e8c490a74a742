import type { JsonObject } from '../json.js';
import type { JsonSchema } from '../schema.js';
import { isStandardSchema } from '../standard-schema.js';
import type { ToolAnnotations } from '../tool.js';
import { describeError, describeValue } from './describe.js';
import { hiddenProblems, type LoadProblemCode, loadProblem } from './load-problem.js';
import type { ToolDefinition } from './plugin-instance.js';
import type { PluginProblem, ProblemLocation } from './problem.js';
import { quoted } from './quoted.js';
import { isDeeper, isJsonObject, toJsonValue } from './to-json-value.js';

/** A tool's definition, or none where a problem refuses it. */
export interface ReadTool {
  definition?: ToolDefinition;
  problems: PluginProblem[];
}

/**
 * The definition of a tool object as plain data, every member read once and checked. Whether the schemas are valid
 * JSON Schema is for the server to say.
 * @param prefix goes before the name, behind which no name is reserved
 */
export function readToolDefinition(tool: object, origin: string, location: ProblemLocation, prefix = ''): ReadTool {
  const findings = new Findings(location);
  try {
    return { definition: definitionOf(tool, origin, findings, prefix), problems: findings.problems };
  } catch (error) {
    if (!(error instanceof Refused))
      findings.add('TOOL_MALFORMED', `The tool cannot be read: ${describeError(error)}.`);
    return { problems: findings.problems };
  }
}

/** Levels of nesting of annotations, and characters of a title: far more than any author writes. */
const MAX_DEPTH = 200;
export const MAX_TITLE = 1_000;

class Refused extends Error {}

class Findings {
  readonly problems: PluginProblem[] = [];
  /** How messages call the tool. */
  tool = 'The tool';

  constructor(readonly location: ProblemLocation) {}

  add(code: LoadProblemCode, message: string): void {
    this.problems.push(loadProblem(code, message, this.location));
  }

  refuse(code: LoadProblemCode, message: string): never {
    this.add(code, message);
    throw new Refused(message);
  }
}

const MEMBERS = [
  'name',
  'description',
  'title',
  'inputSchema',
  'outputSchema',
  'annotations',
  'timeoutMs',
  'listed',
] as const;
type Members = Record<(typeof MEMBERS)[number], unknown>;

function definitionOf(tool: object, origin: string, findings: Findings, prefix: string): ToolDefinition {
  const members = readMembers(tool, findings);
  const name = prefix + checkName(members.name, findings, prefix === '');
  findings.tool = `Tool '${name}'`;
  const title = optionalText('title', members.title, findings);
  const description = checkDescription(members.description, findings);
  const inputSchema = checkInputSchema(members.inputSchema, findings);
  const outputSchema =
    members.outputSchema == null ? undefined : checkSchema('outputSchema', members.outputSchema, findings);
  const annotations = members.annotations == null ? undefined : checkAnnotations(members.annotations, findings);
  const timeoutMs = members.timeoutMs == null ? undefined : checkTimeout(members.timeoutMs, findings);
  const listed = checkListed(members.listed, findings);
  const definition: ToolDefinition = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(!listed && { listed }),
    origin,
  };
  const texts = { title, description, inputSchema, outputSchema, annotations };
  findings.problems.push(...hiddenProblems(findings.tool, texts, findings.location));
  return definition;
}

function readMembers(tool: object, findings: Findings): Members {
  const members: Partial<Members> = {};
  for (const member of MEMBERS) {
    try {
      members[member] = (tool as Members)[member];
    } catch (error) {
      findings.refuse('TOOL_MALFORMED', `Reading '${member}' of the tool threw: ${describeError(error)}.`);
    }
  }
  return members as Members;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const RESERVED = /^(?:builtin|mcp)\./i;

function checkName(name: unknown, findings: Findings, isAlone: boolean): string {
  if (typeof name !== 'string')
    findings.refuse('TOOL_MALFORMED', `The name of the tool is ${describeValue(name)}, not a string.`);
  if (!NAME.test(name)) {
    const what =
      name.length > 128 ? `has ${name.length} characters` : 'has characters that MCP does not allow, or none';
    findings.refuse('TOOL_NAME_INVALID', `The tool name ${quoted(name)} ${what}.`);
  }
  if (isAlone && RESERVED.test(name))
    findings.refuse('TOOL_NAME_RESERVED', `The tool name '${name}' begins with a reserved prefix.`);
  return name;
}

const MAX_DESCRIPTION = 2_000;

function checkDescription(description: unknown, findings: Findings): string | undefined {
  const text = optionalText('description', description, findings);
  if (text === undefined || text.trim() === '') {
    findings.add('DESCRIPTION_MISSING', `${findings.tool} has no description.`);
    return text;
  }
  if (text.length > MAX_DESCRIPTION) {
    findings.add('DESCRIPTION_TOO_LONG', `The description of ${findings.tool} has ${text.length} characters.`);
  }
  return text;
}

function optionalText(member: string, value: unknown, findings: Findings): string | undefined {
  if (value == null) return undefined;
  if (typeof value !== 'string') {
    findings.refuse('TOOL_MALFORMED', `The ${member} of ${findings.tool} is ${describeValue(value)}, not a string.`);
  }
  if (member === 'title') checkTitle(value, findings);
  return value;
}

function checkTitle(title: string, findings: Findings): void {
  if (title.length <= MAX_TITLE) return;
  findings.refuse(
    'TOOL_MALFORMED',
    `The title of ${findings.tool} has ${title.length} characters; at most ${MAX_TITLE} are allowed.`,
  );
}

function checkInputSchema(schema: unknown, findings: Findings): JsonSchema {
  if (schema == null) {
    findings.add('SCHEMA_MISSING', `${findings.tool} has no inputSchema; an object of anything was assumed.`);
    return { type: 'object' };
  }
  return checkSchema('inputSchema', schema, findings);
}

function checkSchema(member: 'inputSchema' | 'outputSchema', given: unknown, findings: Findings): JsonSchema {
  const subject = `The ${member} of ${findings.tool}`;
  if (isStandardSchema(given)) {
    findings.refuse(
      'TOOL_SCHEMA_INVALID',
      `${subject} is a schema of ${given['~standard'].vendor}, not a JSON Schema.`,
    );
  }
  const schema = plainSchema(subject, given, findings);
  if (schema.type === undefined) {
    findings.add('SCHEMA_TYPE_MISSING', `${subject} has no type at its root; object was assumed.`);
    return { type: 'object', ...schema };
  }
  if (schema.type !== 'object') {
    const type = typeof schema.type === 'string' ? `the type ${quoted(schema.type)}` : 'another type';
    findings.refuse('TOOL_SCHEMA_INVALID', `${subject} has ${type} at its root; MCP wants 'object'.`);
  }
  return schema;
}

function plainSchema(subject: string, given: unknown, findings: Findings): JsonSchema & JsonObject {
  try {
    const schema = typeof given === 'object' ? toJsonValue(given) : undefined;
    if (isJsonObject(schema)) return schema as JsonSchema & JsonObject;
  } catch (error) {
    findings.refuse('TOOL_SCHEMA_INVALID', `${subject} cannot be written as JSON: ${describeError(error)}.`);
  }
  return findings.refuse('TOOL_SCHEMA_INVALID', `${subject} is ${describeValue(given)}, not an object.`);
}

const HINT_NAMES = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function checkAnnotations(given: unknown, findings: Findings): ToolAnnotations {
  const annotations = typeof given === 'object' ? toJsonValue(given) : undefined;
  if (!isJsonObject(annotations) || isDeeper(annotations, MAX_DEPTH)) {
    const what = isJsonObject(annotations) ? 'nested too deeply' : `${describeValue(given)}, not an object`;
    return findings.refuse('TOOL_MALFORMED', `The annotations of ${findings.tool} are ${what}.`);
  }
  for (const name of HINT_NAMES) {
    if (annotations[name] === undefined || typeof annotations[name] === 'boolean') continue;
    findings.refuse(
      'TOOL_MALFORMED',
      `annotations.${name} of ${findings.tool} is ${describeValue(annotations[name])}, not a boolean.`,
    );
  }
  if (annotations.title !== undefined && typeof annotations.title !== 'string') {
    findings.refuse(
      'TOOL_MALFORMED',
      `annotations.title of ${findings.tool} is ${describeValue(annotations.title)}, not a string.`,
    );
  }
  if (typeof annotations.title === 'string') checkTitle(annotations.title, findings);
  return annotations;
}

function checkListed(listed: unknown, findings: Findings): boolean {
  if (listed == null || typeof listed === 'boolean') return listed ?? true;
  return findings.refuse('TOOL_MALFORMED', `listed of ${findings.tool} is ${describeValue(listed)}, not a boolean.`);
}

/** What a timer of Node can wait for. */
const MAX_TIMEOUT_MS = 2_147_483_647;

function checkTimeout(timeoutMs: unknown, findings: Findings): number {
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  const given = typeof timeoutMs === 'number' ? String(timeoutMs) : describeValue(timeoutMs);
  return findings.refuse(
    'TOOL_MALFORMED',
    `The timeoutMs of ${findings.tool} is ${given}; it must be a positive number of milliseconds, at most ${MAX_TIMEOUT_MS}.`,
  );
}
