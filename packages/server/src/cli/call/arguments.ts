import type { JsonObject, JsonSchema, JsonValue } from '@mortise/plugin';
import { isJsonObject, setMember } from '@mortise/plugin/runtime';
import { CliError } from '../shared/cli-error.js';
import { itemsOf, memberOf, type SchemaAt, typesOf } from './schema-types.js';

/** Reads a file, or stdin for `-`, as text. @throws CliError */
export type ReadText = (path: string) => Promise<string>;

/** The arguments of a call as the command line gives them. */
export interface RawArguments {
  /** `key=value`, in order. */
  readonly pairs: readonly string[];
  /** A JSON object, `@file`, or `-` for stdin. */
  readonly json?: string;
}

/**
 * The arguments for a tool: those of `--json`, and over them each `--arg`, typed by the tool's input schema. What does not
 * fit is left for the host to refuse, as it refuses any other caller.
 * @throws CliError for what cannot be an argument at all
 */
export async function toArguments(
  { pairs, json }: RawArguments,
  schema: JsonSchema,
  readText: ReadText,
): Promise<JsonObject> {
  const args = json === undefined ? {} : await readJsonObject(json, readText);
  const seen = new Set<string>();
  for (const pair of pairs) {
    const { key, text } = splitPair(pair);
    const value = toValue(key, await withFile(text, readText), memberOf({ schema, root: schema }, key));
    const isMore = seen.has(key);
    seen.add(key);
    if (!isMore) setMember(args, key, value);
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

/** `@file` and `@-` mean the text of a file or of stdin; `@@x` means `@x`. */
async function withFile(text: string, readText: ReadText): Promise<string> {
  if (!text.startsWith('@')) return text;
  return text.startsWith('@@') ? text.slice(1) : readText(text.slice(1));
}

/** A value that may be a string is one; everything else is parsed as JSON, and a single item is accepted as a list. */
function toValue(key: string, text: string, at: SchemaAt | undefined): JsonValue {
  const types = at ? typesOf(at) : new Set();
  if (types.has('string')) return text;
  const parsed = parseJson(text);
  const start = text.trimStart()[0];
  if (parsed === undefined && start === '[' && types.has('array')) throw notJson(key, 'a list', '\'["a", "b"]\'');
  if (parsed === undefined && start === '{' && types.has('object')) throw notJson(key, 'an object', '\'{"a": 1}\'');
  if (types.has('array') && types.size === 1 && !Array.isArray(parsed)) return [toValue(key, text, itemsOf(at!))];
  return parsed === undefined ? text : parsed;
}

function notJson(key: string, what: string, example: string): CliError {
  return usage(
    `--arg ${key} is not valid JSON; the tool expects ${what}.`,
    `Write it in quotes, as in --arg ${key}=${example}.`,
  );
}

async function readJsonObject(argument: string, readText: ReadText): Promise<JsonObject> {
  const isElsewhere = argument === '-' || argument.startsWith('@');
  const text = isElsewhere ? await readText(argument === '-' ? argument : argument.slice(1)) : argument;
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
