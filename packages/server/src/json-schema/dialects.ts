import { createRequire } from 'node:module';
import { ownMember } from '@mortise/plugin/runtime';
import type { Ajv, Options, SchemaObject } from 'ajv';
import type { Ajv2019 } from 'ajv/dist/2019.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { bundlePath } from '../util/package-root.js';
import { MULTIPLE_OF } from './multiple-of.js';
import { UNIQUE_ITEMS } from './unique-items.js';

/** Ajv is loaded when the first schema is compiled: a start with cached definitions compiles none. */
const loadBundle = createRequire(import.meta.url);
const ajvBundle = () => loadBundle(bundlePath('ajv.cjs')) as typeof import('./ajv.js');

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
  return ownMember(BY_META_SCHEMA, schemaId);
}

/** A new Ajv for a dialect. Nothing is fetched, coerced, filled in or printed; `format` and unknown keywords are annotations. */
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
  for (const own of OWN) ajv.removeKeyword(own.keyword as string).addKeyword(own);
  return ajv;
}

/** Keywords that are checked in another way than Ajv's. */
const OWN = [UNIQUE_ITEMS, MULTIPLE_OF];

const CLASSES: Record<Dialect, 'Ajv' | 'Ajv2019' | 'Ajv2020'> = {
  '2020-12': 'Ajv2020',
  '2019-09': 'Ajv2019',
  'draft-07': 'Ajv',
  'draft-06': 'Ajv',
};

/** Loads Ajv, which takes some milliseconds the first time: the class for a dialect. */
export const loadAjv = (dialect: Dialect): (new (options: Options) => Ajv | Ajv2019 | Ajv2020) =>
  ajvBundle()[CLASSES[dialect]];

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
