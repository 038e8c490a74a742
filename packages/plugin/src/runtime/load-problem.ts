import { pathToFileURL } from 'node:url';
import type { CodePlace } from '../own-code.js';
import { hiddenTextIn } from './hidden-text.js';
import type { PluginProblem, ProblemCode, ProblemLocation } from './problem.js';
import { MAX_NAME_CHARS } from './tool-name.js';
import { tryRead } from './try-read.js';

/**
 * The codes of problems with which a definition still loads. One is an exception: a class with CLASS_CONSTRUCTOR_SHAPE is
 * skipped (docs/spec/plugin-api.md#constructors).
 */
const WARNINGS: ReadonlySet<ProblemCode> = new Set([
  'CLASS_CONSTRUCTOR_SHAPE',
  'MEMBER_UNKNOWN',
  'SCHEMA_SUSPICIOUS',
  'SCHEMA_TYPE_MISSING',
  'SCHEMA_MISSING',
  'DESCRIPTION_MISSING',
  'TITLE_MISSING',
  'DESCRIPTION_SUSPICIOUS',
  'DESCRIPTION_TOO_LONG',
  'SETTING_UNKNOWN',
]);

const HINTS = {
  DEFINITION_INVALID: 'Correct the options of defineTool or definePlugin that the message names.',
  EXPORT_NOT_PLUGIN:
    'Export each tool by its own name (`export const look = defineTool({ … })`), or register them: `export default definePlugin({ register(api) { api.defineTool({ … }) } })`.',
  REGISTER_THREW: 'Correct what throws in register(api), then reload the plugins.',
  CLASS_CONSTRUCTOR_SHAPE: 'Write `constructor()` or `constructor(context)`, where context is a PluginContext.',
  CLASS_CONSTRUCTOR_THREW: 'Correct what throws in the constructor; often a setting under Plugins.Config is missing.',
  CLASS_MEMBER_MISSING: 'Give the class the members name, description and inputSchema in addition to executeAsync.',
  EXECUTE_MISSING:
    'Name the method executeAsync(args, progress, signal, context), make the tool with defineTool({ …, run }), or register it: export function register(api).',
  EXPORTS_MISSING: 'Export a tool of defineTool, a class with executeAsync, or register(api).',
  MEMBER_UNKNOWN: 'Correct the name of the member, or remove the member.',
  SCHEMA_SUSPICIOUS: 'Correct the keyword or property that the message names.',
  TOOL_MALFORMED: 'Correct the member. Other tools of the plugin are not affected.',
  TOOL_NAME_INVALID: `Use 1 to ${MAX_NAME_CHARS} of the characters A-Z, a-z, 0-9, _, . and - for the name, for example \`get_weather\`.`,
  TOOL_NAME_RESERVED: 'Choose a name that does not begin with `builtin.` or `mcp.`.',
  TOOL_NAME_DUPLICATE: 'Rename one of the two tools.',
  TOOL_SCHEMA_INVALID: 'Give a JSON Schema object with `type: "object"`. For zod, valibot and arktype use defineTool.',
  SETTING_MISSING: 'Add the setting to the settings file.',
  SETTING_INVALID: 'Correct the setting in the settings file, then reload the plugins.',
  SETTING_UNAVAILABLE: 'Set the environment variable, or remove the reference.',
  SETTING_UNKNOWN: 'Correct the name of the setting, or remove the setting.',
  RESOURCE_MALFORMED: 'Write { uri or uriTemplate, name, read(uri, variables, context) }.',
  RESOURCE_URI_RESERVED: 'Choose another scheme; mortise: is reserved for resources of the server.',
  RESOURCE_DUPLICATE: 'Give one of the two resources another URI.',
  PROMPT_MALFORMED: 'Write { name, arguments: [{ name, required?, complete? }], get(args, context) }.',
  PROMPT_DUPLICATE: 'Rename one of the two prompts.',
  SCHEMA_TYPE_MISSING: 'Write `type: "object"` at the root of the schema.',
  SCHEMA_MISSING: 'Describe the arguments in inputSchema, so that models know them and wrong ones are refused.',
  DESCRIPTION_MISSING: 'Say in description what the tool does and when to use it.',
  TITLE_MISSING: "Give the tool a title that users read, for example title: 'Get weather'.",
  DESCRIPTION_SUSPICIOUS:
    'Remove the hidden characters or the comment; they can carry instructions that users do not see.',
  DESCRIPTION_TOO_LONG: 'Shorten the description to 2,000 characters; every session pays for it in tokens.',
} as const satisfies Partial<Record<ProblemCode, string>>;

export type LoadProblemCode = keyof typeof HINTS;

/** Creates a problem, with the severity of its code. @param hint default: the hint of the code */
export function loadProblem(
  code: LoadProblemCode,
  message: string,
  location: ProblemLocation,
  hint: string = HINTS[code],
): PluginProblem {
  return { severity: WARNINGS.has(code) ? 'warning' : 'error', code, message, hint, location };
}

/** The location of a definition: the place of the call that made it, if it is known. @param file the plugin's file */
export const locationOf = (place: CodePlace | undefined, file: string, subject: string): ProblemLocation => ({
  file,
  ...place,
  subject,
});

/**
 * Warnings about hidden text in the members of a definition that a model reads.
 * @param subject `prompt 'x'`, for messages
 */
export function hiddenProblems(subject: string, definition: object, location: ProblemLocation): PluginProblem[] {
  return Object.entries(definition).flatMap(([member, value]) =>
    hiddenTextIn(value).map((what) =>
      loadProblem('DESCRIPTION_SUSPICIOUS', `The ${member} of ${subject} contains ${what}.`, location),
    ),
  );
}

/** The maximum length of `?query:line:column` after a file name in a stack trace. */
const MAX_POSITION_CHARS = 200;

/** The location of an error in `file`, with line and column if its stack trace has them. */
export function locationOfError(error: unknown, file: string, subject?: string): ProblemLocation {
  const location = { file, ...(subject !== undefined && { subject }) };
  const stack = tryRead(() => String((error as Error).stack)) ?? '';
  for (const name of [pathToFileURL(file).href, file]) {
    const index = stack.indexOf(name);
    if (index === -1) continue;
    const end = index + name.length;
    const position = /^(?:\?[^:)]*)?:(\d+):(\d+)/.exec(stack.slice(end, end + MAX_POSITION_CHARS));
    if (position) return { ...location, line: Number(position[1]), column: Number(position[2]) };
  }
  return location;
}
