import type { JsonObject, JsonSchema, JsonValue } from '@mortise/plugin';
import { isJsonObject, setMember } from '@mortise/plugin/runtime';
import { CliError } from '../shared/cli-error.js';
import { itemsOf, memberOf, type SchemaAt, typesOf } from './schema-types.js';

/** Reads a file as text, or stdin for `-`. @throws CliError if it cannot be read */
export type ReadText = (path: string) => Promise<string>;

/** The arguments of a call in the form of the command line. */
export interface RawArguments {
  /** The `key=value` of each `--arg`, in order. */
  readonly pairs: readonly string[];
  /** The value of `--json`: a JSON object, `@file`, or `-` for stdin. */
  readonly json?: string;
}

/**
 * Parses the arguments of a call: each `--arg` overrides a member of `--json` and gets its type from the tool's input
 * schema. Values that violate the schema are kept; the server refuses them, as for any other caller.
 * @throws CliError for text that cannot be an argument of any tool
 */
export async function toArguments(
  { pairs, json }: RawArguments,
  schema: JsonSchema,
  readText: ReadText,
): Promise<JsonObject> {
  const args = json === undefined ? {} : await readJsonObject(json, readText);
  const seenKeys = new Set<string>();
  for (const pair of pairs) {
    const { key, text } = splitPair(pair);
    const value = toValue(key, await expandFile(text, readText), memberOf({ schema, root: schema }, key));
    const isRepeated = seenKeys.has(key);
    seenKeys.add(key);
    if (!isRepeated) setMember(args, key, value);
    else if (Array.isArray(args[key]) && Array.isArray(value)) args[key].push(...value);
    else throw usage(`--arg ${key} is given twice.`, 'Give it once; for a list use JSON: --arg \'key=["a", "b"]\'.');
  }
  return args;
}

export function splitPair(pair: string): { key: string; text: string } {
  const at = pair.indexOf('=');
  if (at > 0) return { key: pair.slice(0, at), text: pair.slice(at + 1) };
  throw usage(`--arg '${pair}' is not key=value.`, 'Write --arg name=Ada; for everything at once use --json.');
}

/** Replaces `@file` and `@-` by the text of the file or of stdin, and `@@x` by `@x`. */
async function expandFile(text: string, readText: ReadText): Promise<string> {
  if (!text.startsWith('@')) return text;
  return text.startsWith('@@') ? text.slice(1) : readText(text.slice(1));
}

/** Keeps the text if the schema allows a string; otherwise parses it as JSON. A single item can stand for a list. */
function toValue(key: string, text: string, schemaAt: SchemaAt | undefined): JsonValue {
  const types = schemaAt ? typesOf(schemaAt) : new Set();
  if (types.has('string')) return text;
  const parsed = parseJson(text);
  const firstChar = text.trimStart()[0];
  if (parsed === undefined && firstChar === '[' && types.has('array')) throw notJson(key, 'a list', '\'["a", "b"]\'');
  if (parsed === undefined && firstChar === '{' && types.has('object')) throw notJson(key, 'an object', '\'{"a": 1}\'');
  if (types.has('array') && types.size === 1 && !Array.isArray(parsed)) return [toValue(key, text, itemsOf(schemaAt!))];
  return parsed === undefined ? text : parsed;
}

function notJson(key: string, expected: string, example: string): CliError {
  return usage(
    `--arg ${key} is not valid JSON; the tool expects ${expected}.`,
    `Write it in quotes, as in --arg ${key}=${example}.`,
  );
}

async function readJsonObject(argument: string, readText: ReadText): Promise<JsonObject> {
  const isReference = argument === '-' || argument.startsWith('@');
  const text = isReference ? await readText(argument === '-' ? argument : argument.slice(1)) : argument;
  const parsed = parseJson(text);
  if (isJsonObject(parsed)) return parsed;
  const why = parsed === undefined ? 'not valid JSON' : 'not a JSON object';
  throw usage(
    `--json is ${why}.`,
    'Write an object in quotes, as in --json \'{"name": "Ada"}\', or name a file: --json @args.json.',
  );
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function usage(message: string, hint: string): CliError {
  return new CliError('usage', { message, hint });
}
