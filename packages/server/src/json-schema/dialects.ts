import { createRequire } from 'node:module';
import { ownMember } from '@mortise/plugin/runtime';
import type { Ajv, Options, SchemaObject } from 'ajv';
import type { Ajv2019 } from 'ajv/dist/2019.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { bundlePath } from '../util/package-root.js';
import { MULTIPLE_OF } from './multiple-of.js';
import { UNIQUE_ITEMS } from './unique-items.js';

/** Loads Ajv when the first schema is compiled, because a start with cached definitions compiles none. */
const loadBundle = createRequire(import.meta.url);
const ajvBundle = () => loadBundle(bundlePath('ajv.cjs')) as typeof import('./ajv.js');

/** The supported drafts of JSON Schema. The default is 2020-12. */
export const DIALECTS = ['2020-12', '2019-09', 'draft-07', 'draft-06'] as const;

export type Dialect = (typeof DIALECTS)[number];

const DIALECT_BY_META_SCHEMA: Record<string, Dialect> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
  'json-schema.org/draft-06/schema': 'draft-06',
};

/** Returns the dialect that a schema's `$schema` names; undefined if it is not supported. */
export function dialectOf(schema: Readonly<Record<string, unknown>>): Dialect | undefined {
  if (schema.$schema === undefined) return '2020-12';
  if (typeof schema.$schema !== 'string') return undefined;
  const schemaId = schema.$schema.replace(/^https?:\/\//, '').replace(/#$/, '');
  return ownMember(DIALECT_BY_META_SCHEMA, schemaId);
}

/**
 * Creates an Ajv for a dialect. It fetches nothing, prints nothing, and does not change values. `format` and unknown
 * keywords are annotations.
 */
export function createAjv(dialect: Dialect, options: Options = {}): Ajv | Ajv2019 | Ajv2020 {
  const Class = loadAjv(dialect);
  const ajv = new Class({
    ...(dialect === 'draft-06' && { meta: ajvBundle().draft06 as SchemaObject }),
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    ...options,
    code: { ...options.code, regExp: toRegExp },
  });
  for (const definition of OWN_KEYWORDS) ajv.removeKeyword(definition.keyword as string).addKeyword(definition);
  return ajv;
}

/** Implementations that replace Ajv's. */
const OWN_KEYWORDS = [UNIQUE_ITEMS, MULTIPLE_OF];

const CLASSES: Record<Dialect, 'Ajv' | 'Ajv2019' | 'Ajv2020'> = {
  '2020-12': 'Ajv2020',
  '2019-09': 'Ajv2019',
  'draft-07': 'Ajv',
  'draft-06': 'Ajv',
};

/** Returns Ajv's class for a dialect. The first call loads Ajv, which takes some milliseconds. */
export const loadAjv = (dialect: Dialect): (new (options: Options) => Ajv | Ajv2019 | Ajv2020) =>
  ajvBundle()[CLASSES[dialect]];

/** Compiles a pattern with the flag `u`, or without it if the pattern is valid only then, as `[\w-.]` is. */
export const toRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'toRegExp' },
);
