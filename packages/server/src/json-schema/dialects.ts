import { createRequire } from 'node:module';
import type { Ajv, Options, SchemaObject } from 'ajv';
import type { Ajv2019 } from 'ajv/dist/2019.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { MULTIPLE_OF } from './multiple-of.js';
import { UNIQUE_ITEMS } from './unique-items.js';

/** Ajv is loaded when the first schema is compiled: a start with cached definitions compiles none. */
const require = createRequire(import.meta.url);

/** The drafts of JSON Schema that are understood; 2020-12 where `$schema` names none. */
export const DIALECTS = ['2020-12', '2019-09', 'draft-07', 'draft-06'] as const;

export type Dialect = (typeof DIALECTS)[number];

const BY_META_SCHEMA: Record<string, Dialect> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
  'json-schema.org/draft-06/schema': 'draft-06',
};

/** The dialect that a schema's `$schema` names; undefined for one that is not understood. */
export function dialectOf(schema: Readonly<Record<string, unknown>>): Dialect | undefined {
  if (schema.$schema === undefined) return '2020-12';
  if (typeof schema.$schema !== 'string') return undefined;
  const schemaId = schema.$schema.replace(/^https?:\/\//, '').replace(/#$/, '');
  return Object.hasOwn(BY_META_SCHEMA, schemaId) ? BY_META_SCHEMA[schemaId] : undefined;
}

/** A new Ajv for a dialect. Nothing is fetched, coerced, filled in or printed; `format` and unknown keywords are annotations. */
export function createAjv(dialect: Dialect, options: Options = {}): Ajv | Ajv2019 | Ajv2020 {
  const Class = loadAjv(dialect);
  const ajv = new Class({
    ...(dialect === 'draft-06' && { meta: draft06() }),
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    ...options,
    code: { ...options.code, regExp: toRegExp },
  });
  for (const own of OWN) ajv.removeKeyword(own.keyword as string).addKeyword(own);
  return ajv;
}

/** Keywords that are checked in another way than Ajv's. */
const OWN = [UNIQUE_ITEMS, MULTIPLE_OF];

const LOAD: Record<Dialect, () => new (options: Options) => Ajv | Ajv2019 | Ajv2020> = {
  '2020-12': () => (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020,
  '2019-09': () => (require('ajv/dist/2019.js') as typeof import('ajv/dist/2019.js')).Ajv2019,
  'draft-07': () => (require('ajv') as typeof import('ajv')).Ajv,
  'draft-06': () => (require('ajv') as typeof import('ajv')).Ajv,
};

/** Loads the modules of Ajv for a dialect, which takes 20 ms the first time. */
export const loadAjv = (dialect: Dialect): (new (options: Options) => Ajv | Ajv2019 | Ajv2020) => LOAD[dialect]();

const draft06 = (): SchemaObject => require('ajv/dist/refs/json-schema-draft-06.json');

/** Patterns are Unicode patterns; one that is valid only without the flag, as `[\w-.]` is, is taken without it. */
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
