import { findTooDeep } from './json-depth.js';
import { childOf, describeUnknownKey, joinKey } from './lookup.js';
import { listSchemaOf, type SettingSchema } from './setting-schema.js';
import { SETTINGS_SCHEMA } from './settings-table.js';
import { merge, type SourcedObject, type SourcedValue, withSource } from './sourced-value.js';

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Deeper levels are not a setting of anyone. */
const MAX_LEVELS = 32;

/**
 * The settings that environment variables hold: `Section__Key`, a double underscore for each level, in any case
 * (docs/spec/configuration.md#config-environment). Only variables whose first segment is one of our sections count; an
 * unknown key there is a warning.
 */
export function parseEnvironment(env: Environment): { tree: SourcedObject; warnings: string[] } {
  const origin = { from: 'environment', variable: '' } as const;
  let tree: SourcedValue = { kind: 'object', members: [], origin };
  const warnings: string[] = [];
  for (const variable of Object.keys(env).sort()) {
    const text = env[variable];
    const segments = variable.split('__');
    if (typeof text !== 'string' || segments.length < 2 || !childOf(SETTINGS_SCHEMA, segments[0]!)) continue;
    const found = resolveSegments(segments);
    if ('unknown' in found) warnings.push(`Environment variable ${variable} is ignored: ${found.unknown}`);
    else tree = merge(SETTINGS_SCHEMA, tree, nest(found.keys, parseText(text, found.schema, variable), variable));
  }
  return { tree: tree as SourcedObject, warnings };
}

/** The name of the environment variable that overrides a setting. */
export function environmentName(section: string, key: string): string {
  return `${section}__${key}`;
}

function resolveSegments(segments: readonly string[]): { keys: string[]; schema: SettingSchema } | { unknown: string } {
  if (segments.length > MAX_LEVELS) return { unknown: `it has more than ${MAX_LEVELS} levels.` };
  const keys: string[] = [];
  let schema: SettingSchema = SETTINGS_SCHEMA;
  for (const segment of segments) {
    const child: ReturnType<typeof childOf> = segment === '' ? undefined : childOf(schema, segment);
    if (!child) {
      const { message, hint } = describeUnknownKey(keys.reduce(joinKey, ''), schema, segment);
      return { unknown: `${message} ${hint}` };
    }
    keys.push(child.key);
    schema = child.schema;
  }
  return { keys, schema };
}

function nest(keys: readonly string[], leaf: SourcedValue, variable: string): SourcedValue {
  const origin = { from: 'environment', variable } as const;
  return keys.reduceRight<SourcedValue>(
    (value, key) => ({ kind: 'object', members: [{ key, value, origin }], origin }),
    leaf,
  );
}

/** Lists and objects are JSON; everything else is text, which is converted by its schema later. */
function parseText(text: string, schema: SettingSchema, variable: string): SourcedValue {
  const origin = { from: 'environment', variable } as const;
  const holdsJson = schema.type === 'object' || listSchemaOf(schema) !== undefined;
  const value = holdsJson && /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return value === undefined ? { kind: 'scalar', value: text, origin } : withSource(value, origin);
}

function parseJson(text: string): unknown {
  if (findTooDeep(text) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
