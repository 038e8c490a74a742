import { findTooDeep } from './json-depth.js';
import { childOf, describeUnknownKey, joinKey } from './lookup.js';
import { SETTINGS_TYPE } from './settings-table.js';
import { merge, type SourcedObject, type SourcedValue, withSource } from './sourced-value.js';
import type { ValueType } from './value-type.js';

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Deeper levels are not a setting of anyone. */
const MAX_LEVELS = 32;

/**
 * The settings that environment variables hold: `Section__Key`, a double underscore for each level, in any case
 * (docs/spec/plugins.md#config-environment). Only variables whose first segment is one of our sections count; an
 * unknown key there is a warning.
 */
export function parseEnvironment(env: Environment): { tree: SourcedObject; warnings: string[] } {
  const origin = { from: 'environment', variable: '' } as const;
  let tree: SourcedValue = { kind: 'object', members: [], origin };
  const warnings: string[] = [];
  for (const variable of Object.keys(env).sort()) {
    const text = env[variable];
    const segments = variable.split('__');
    if (typeof text !== 'string' || segments.length < 2 || !childOf(SETTINGS_TYPE, segments[0]!)) continue;
    const found = resolveSegments(segments);
    if ('unknown' in found) warnings.push(`Environment variable ${variable} is ignored: ${found.unknown}`);
    else tree = merge(SETTINGS_TYPE, tree, nest(found.keys, parseText(text, found.type, variable), variable));
  }
  return { tree: tree as SourcedObject, warnings };
}

/** The name of the environment variable that overrides a setting. */
export function environmentName(section: string, key: string): string {
  return `${section}__${key}`;
}

function resolveSegments(segments: readonly string[]): { keys: string[]; type: ValueType } | { unknown: string } {
  if (segments.length > MAX_LEVELS) return { unknown: `it has more than ${MAX_LEVELS} levels.` };
  const keys: string[] = [];
  let type: ValueType = SETTINGS_TYPE;
  for (const segment of segments) {
    const child: ReturnType<typeof childOf> = segment === '' ? undefined : childOf(type, segment);
    if (!child) {
      const { message, hint } = describeUnknownKey(keys.reduce(joinKey, ''), type, segment);
      return { unknown: `${message} ${hint}` };
    }
    keys.push(child.key);
    type = child.type;
  }
  return { keys, type };
}

function nest(keys: readonly string[], leaf: SourcedValue, variable: string): SourcedValue {
  const origin = { from: 'environment', variable } as const;
  return keys.reduceRight<SourcedValue>(
    (value, key) => ({ kind: 'object', members: [{ key, value, origin }], origin }),
    leaf,
  );
}

const HOLDS_JSON: readonly ValueType['kind'][] = ['list', 'map', 'record'];

/** Lists and objects are JSON; everything else is text, which the reader of its type understands. */
function parseText(text: string, type: ValueType, variable: string): SourcedValue {
  const origin = { from: 'environment', variable } as const;
  if (HOLDS_JSON.includes(type.kind) && /^\s*[[{]/.test(text)) {
    const value = parseJson(text);
    if (value !== undefined) return withSource(value, origin);
  }
  return { kind: 'scalar', value: text, origin };
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
