import { DefinitionError } from './definition-error.js';
import { suggestNames } from './did-you-mean.js';

/** The members of a tool and their types, for tools of every style. */
export const TOOL_MEMBERS: Readonly<Record<string, string>> = {
  name: 'string',
  title: 'string',
  description: 'string',
  inputSchema: 'object',
  outputSchema: 'object',
  annotations: 'object',
  icons: 'object',
  _meta: 'object',
  redaction: 'string',
  timeoutMs: 'number',
  listed: 'boolean',
  needsTask: 'boolean',
  actions: 'object',
  run: 'function',
  executeAsync: 'function',
  dispose: 'function',
};

/** The member that other frameworks call by this name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  parameters: 'inputSchema',
  schema: 'inputSchema',
  input: 'inputSchema',
  input_schema: 'inputSchema',
  output: 'outputSchema',
  timeout: 'timeoutMs',
  handler: 'run',
  callback: 'run',
  execute: 'run',
};

export function meantMember(key: string, members = Object.keys(TOOL_MEMBERS)): string | undefined {
  if (Object.hasOwn(OTHER_NAMES, key)) return OTHER_NAMES[key];
  const [closest] = suggestNames(key, members, 1);
  return closest !== undefined && Math.abs(closest.length - key.length) <= 2 ? closest : undefined;
}

/** The members that `defineTool` accepts. It adds `executeAsync` itself. */
const DEFINED_MEMBERS = Object.keys(TOOL_MEMBERS).filter((name) => name !== 'executeAsync');

/**
 * Checks the options of `defineTool`. The check of all tools finds wrong values later.
 * @throws DefinitionError that names every unknown member, and the member that it probably means
 */
export function checkToolOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new DefinitionError(`defineTool was given ${typeName(options)}, not an object.`, TOOL_FORM);
  const { name, run } = options as { name?: unknown; run?: unknown };
  if (typeof name !== 'string' || name === '')
    throw new DefinitionError(
      `The tool has ${name === undefined || name === '' ? 'no name' : 'a name that is not a string'}.`,
      TOOL_FORM,
    );
  const unknown = Object.keys(options).filter((key) => !DEFINED_MEMBERS.includes(key));
  if (unknown.length > 0) {
    const faults = unknown.map((key) => unknownMember(key, 'a tool', meantMember(key, DEFINED_MEMBERS)));
    throw new DefinitionError(`Tool '${name}': ${faults.join(' ')}`, `The members are ${DEFINED_MEMBERS.join(', ')}.`);
  }
  if (typeof run !== 'function')
    throw new DefinitionError(
      `Tool '${name}' has ${run === undefined ? 'no run' : 'a run that is not a function'}.`,
      'Write run: async (args, context) => …, which returns the result.',
    );
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** The form of a tool, for hints. */
export const TOOL_FORM = 'Write { name, title, description, inputSchema, run }: one object.';

export const unknownMember = (key: string, owner: string, meant: string | undefined): string =>
  `${key} is not a member of ${owner}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
