import { findTooDeep } from './json-depth.js';
import { childOf, describeUnknownKey, joinKey } from './lookup.js';
import { listSchemaOf, type SettingSchema } from './setting-schema.js';
import { merge, type SourcedObject, type SourcedValue, withSource } from './sourced-value.js';

/** Environment variables in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The maximum number of levels in a variable's name. No setting is nested deeper. */
const MAX_LEVELS = 32;

/**
 * Reads the settings from environment variables such as `Section__Key`: a double underscore separates the levels, and
 * case does not count (docs/spec/configuration.md#config-environment). Variables whose first segment is not a section
 * are ignored; an unknown key in a section gives a warning.
 */
export function parseEnvironment(
  env: Environment,
  rootSchema: SettingSchema,
): { tree: SourcedObject; warnings: string[] } {
  const origin = { from: 'environment', variable: '' } as const;
  let tree: SourcedValue = { kind: 'object', members: [], origin };
  const warnings: string[] = [];
  for (const variable of Object.keys(env).sort()) {
    const text = env[variable];
    const segments = variable.split('__');
    if (typeof text !== 'string' || segments.length < 2 || !childOf(rootSchema, segments[0]!)) continue;
    const setting = resolveSegments(segments, rootSchema);
    if ('unknown' in setting) warnings.push(`Environment variable ${variable} is ignored: ${setting.unknown}`);
    else tree = merge(rootSchema, tree, nest(setting.keys, parseText(text, setting.schema, variable), variable));
  }
  return { tree: tree as SourcedObject, warnings };
}

/** Returns the name of the environment variable that overrides a setting. */
export function environmentName(section: string, key: string): string {
  return `${section}__${key}`;
}

function resolveSegments(
  segments: readonly string[],
  rootSchema: SettingSchema,
): { keys: string[]; schema: SettingSchema } | { unknown: string } {
  if (segments.length > MAX_LEVELS) return { unknown: `it has more than ${MAX_LEVELS} levels.` };
  const keys: string[] = [];
  let schema = rootSchema;
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

/** Parses lists and objects as JSON. Everything else stays text, which `SettingsResolver` converts. */
function parseText(text: string, schema: SettingSchema, variable: string): SourcedValue {
  const origin = { from: 'environment', variable } as const;
  const allowsJson = schema.type === 'object' || listSchemaOf(schema) !== undefined;
  const value = allowsJson && /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
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
