import { DefinitionError } from './definition-error.js';
import { suggestNames } from './did-you-mean.js';

/** Members of a tool, of whichever style, with the type of each. */
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

/** What other frameworks call them. */
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

/** The member that was meant by a name that is none. */
export function meantMember(key: string, members = Object.keys(TOOL_MEMBERS)): string | undefined {
  if (Object.hasOwn(OTHER_NAMES, key)) return OTHER_NAMES[key];
  const [closest] = suggestNames(key, members, 1);
  return closest !== undefined && Math.abs(closest.length - key.length) <= 2 ? closest : undefined;
}

/** Those of `defineTool`; it makes executeAsync itself. */
const DEFINED_MEMBERS = Object.keys(TOOL_MEMBERS).filter((name) => name !== 'executeAsync');

/**
 * Checks what `defineTool` was given. Members that only have a wrong value are left to the check of all tools.
 * @throws DefinitionError that names every unknown member, with the one that was meant
 */
export function checkToolOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new DefinitionError(
      `defineTool was given ${Array.isArray(options) ? 'an array' : `a ${typeof options}`}, not an object.`,
      TOOL_FORM,
    );
  const { name, run } = options as { name?: unknown; run?: unknown };
  if (typeof name !== 'string' || name === '')
    throw new DefinitionError(
      `The tool has ${name === undefined ? 'no name' : 'a name that is not a text'}.`,
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

/** How a tool is written, for hints. */
export const TOOL_FORM = 'Write { name, title, description, inputSchema, run }: one object.';

/** The sentence about a member that does not exist. */
export const unknownMember = (key: string, owner: string, meant: string | undefined): string =>
  `${key} is not a member of ${owner}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
