import { resolve } from 'node:path';
import { isSecretKey } from '@mortise/redact';
import { readTextFile } from '../util/read-text-file.js';
import { matches, type SettingPath } from './check-schema.js';
import { interpolate, type ReferenceSources } from './interpolate.js';
import { childOf, joinKey, sameKey, wasSetting } from './lookup.js';
import { type FetchedVariable, ownerOf, pointerOf, type UnavailableReference } from './setting-owner.js';
import { isAny, listSchemaOf, type SettingSchema } from './setting-schema.js';
import { type Origin, problemAt, type SettingsProblem } from './settings-error.js';
import {
  itemsOf,
  type SourcedMember,
  type SourcedObject,
  type SourcedScalar,
  type SourcedValue,
  withSource,
} from './sourced-value.js';

/** Where a setting was set. */
export interface Place {
  /** The setting, as messages name it: `Auth.Keys[0].Name`. */
  readonly key: string;
  readonly origin: Origin;
  /** The location of its key. */
  readonly keyOrigin: Origin;
  /** The setting, or one above it, is a secret's, or its value was fetched. */
  readonly isSecret: boolean;
  /** The value was a text because of its origin, and may stand for a number or a truth. */
  readonly isLoose: boolean;
}

/** Of all settings that are set, by their JSON pointers. */
export type Places = ReadonlyMap<string, Place>;

/** The place of a setting; of what contains it, if it is not set. */
export function placeOf(places: Places, path: SettingPath): Place {
  return places.get(pointerOf(path)) ?? placeOf(places, path.slice(0, -1));
}

/** What references and paths depend on. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of flags start. */
  readonly cwd: string;
  /** Where all others start. */
  readonly baseDir: string;
}

type Setting = Pick<Place, 'key' | 'keyOrigin' | 'isSecret'> & { readonly path: SettingPath };

const MAX_REFERENCED_BYTES = 1024 * 1024;
/** Shorter values would be found everywhere (docs/spec/redaction.md#redaction-configured). */
const MIN_SECRET_CHARS = 6;
const NO_SECRET = /^(?:true|false|[-+]?\d+(?:\.\d+)?)$/i;

/**
 * Makes plain values of located ones, as their schemas say: references fetched, texts of the environment converted, defaults filled
 * in, paths absolute. What does not fit its schema is left as it is, for `violations` to find.
 */
export class SettingsResolver {
  readonly places = new Map<string, Place>();
  readonly problems: SettingsProblem[] = [];
  readonly warnings: string[] = [];
  readonly unavailable: UnavailableReference[] = [];
  readonly secrets = new Set<string>();
  readonly fetched: FetchedVariable[] = [];
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** The plain value; undefined, in it too, for what cannot be fetched. */
  resolve(
    node: SourcedValue,
    schema: SettingSchema,
    setting: Setting = { path: [], key: '', keyOrigin: node.origin, isSecret: false },
  ): unknown {
    const { path, key, keyOrigin, isSecret } = setting;
    // Defaults are never wrong, so no message needs their places, and a start makes a hundred of them.
    if (node.origin.from !== 'defaults' || path.length === 0)
      this.places.set(pointerOf(path), { key, origin: node.origin, keyOrigin, isSecret, isLoose: false });
    if (schema === UNKNOWN) return null;
    const items = itemsFor(node, schema);
    if (items) {
      const itemSchema = listSchemaOf(schema)?.items ?? schema;
      return items.map((item, at) => this.resolve(item, itemSchema, itemSetting(setting, item, item === node || at)));
    }
    if (node.kind === 'scalar') return this.#scalar(node, schema, setting);
    if (node.kind === 'list') return [];
    if (schema.type !== 'object' && !isAny(schema)) return {};
    return schema.properties ? this.#record(node, schema, setting) : this.#members(node, schema, setting);
  }

  #members(node: SourcedObject, schema: SettingSchema, setting: Setting): Record<string, unknown> {
    const values = this.#distinct(node, schema, setting).flatMap(({ key, value, origin }) => {
      const child = childOf(schema, key);
      const isSecret = setting.isSecret || (schema.keys !== 'names' && holdsSecret(key));
      return child ? [[key, this.resolve(value, child.schema, member(setting, key, origin, isSecret))]] : [];
    });
    return Object.fromEntries(values);
  }

  #record(node: SourcedObject, schema: SettingSchema, setting: Setting): Record<string, unknown> {
    const set = new Map<string, SourcedMember>();
    for (const one of this.#distinct(node, schema, setting)) {
      const name = childOf(schema, one.key)?.key ?? one.key;
      const key = joinKey(setting.key, name);
      if (wasSetting(key)) this.warnings.push(`${key} is no longer a setting, and is ignored.`);
      else set.set(name, one);
    }
    const { properties = {} } = schema;
    for (const [name, { default: defaultValue }] of Object.entries(properties)) {
      if (set.has(name) || defaultValue === undefined) continue;
      const origin = { from: 'defaults' } as const;
      set.set(name, { key: name, value: withSource(defaultValue, origin), origin });
    }
    const names = new Set([...Object.keys(properties), ...set.keys()]);
    const values = [...names].flatMap((name) => {
      const one = set.get(name);
      if (!one) return [];
      const memberSchema = (Object.hasOwn(properties, name) && properties[name]) || UNKNOWN;
      return [[name, this.resolve(one.value, memberSchema, member(setting, name, one.origin, setting.isSecret))]];
    });
    return Object.fromEntries(values);
  }

  #distinct(node: SourcedObject, schema: SettingSchema, setting: Setting): SourcedMember[] {
    return node.members.filter((one, at) => {
      const first = node.members.findIndex(({ key }) => sameKey(schema, key, one.key));
      if (first === at) return true;
      const key = joinKey(setting.key, one.key);
      const message = `${key} is a duplicate key${node.members[first]!.key === one.key ? '' : ' (keys are case-insensitive)'}.`;
      this.problems.push(problemAt(one.origin, { key, message, hint: 'Remove one of the two.' }));
      return false;
    });
  }

  #scalar({ value, origin }: SourcedScalar, schema: SettingSchema, setting: Setting): unknown {
    if (typeof value !== 'string' || schema.type === 'array' || schema.type === 'object') return value;
    const { text, fetched, problems } = interpolate(value, this.#sources(origin, setting));
    if (problems.length) {
      for (const { message, hint } of problems) this.#cannotFetch(origin, setting, message, hint);
      return undefined;
    }
    const isSecret = setting.isSecret || schema.secret === 'always';
    if (schema.secret !== 'never' && (schema.type === 'string' || isAny(schema)))
      this.#collectSecrets(text, fetched, isSecret);
    const isLoose = origin.from === 'environment' || fetched.length > 0;
    if (isLoose || isSecret) {
      const { key, keyOrigin } = setting;
      const place = { key, origin, keyOrigin, isSecret: isSecret || fetched.length > 0, isLoose };
      this.places.set(pointerOf(setting.path), place);
    }
    const converted = isLoose ? parseNotation(text, schema) : text;
    return typeof converted === 'string' ? this.#normalize(converted, schema, origin) : converted;
  }

  /** A choice as it is documented, a path absolute. Blank text stands for empty text, where that is allowed. */
  #normalize(text: string, schema: SettingSchema, origin: Origin): string {
    const choices = choicesOf(schema);
    if (choices) return choices.includes(text.trim().toLowerCase()) ? text.trim().toLowerCase() : text;
    if (!schema.isPath) return text;
    if (text.trim() === '') return matches('', schema.pattern) ? '' : text;
    return schema.isPath === 'always' || /[\\/]/.test(text) ? this.#absolute(text, origin) : text;
  }

  #absolute(path: string, { from }: Origin): string {
    const { cwd, baseDir } = this.#surroundings;
    return resolve(from === 'flags' ? cwd : baseDir, path);
  }

  #sources(origin: Origin, { key, path }: Setting): ReferenceSources {
    return {
      env: (name) => {
        const value = this.#surroundings.env[name];
        if (typeof value !== 'string') return undefined;
        this.fetched.push({ name, key, owner: ownerOf(path) });
        return value;
      },
      file: (file) => {
        const content = readTextFile(this.#absolute(file, origin), MAX_REFERENCED_BYTES);
        if (content.kind === 'text') return content;
        return { why: content.kind === 'missing' ? 'there is no such file' : content.why };
      },
    };
  }

  /** If the value belongs to one plugin or mounted server, that one alone cannot be used. */
  #cannotFetch(origin: Origin, { key, path }: Setting, message: string, hint: string): void {
    const problem = problemAt(origin, { key, message: `${key}: ${message}`, hint });
    const owner = ownerOf(path);
    if (owner) this.unavailable.push({ owner, problem });
    else this.problems.push(problem);
  }

  /** Remembers what the redactor has to find: what was fetched, and the value under a secret key. */
  #collectSecrets(value: string, fetched: readonly string[], isSecret: boolean): void {
    const credentials = /^(?:basic|bearer|token|apikey)\s+(\S.*)$/i.exec(value)?.[1];
    for (const found of [...fetched, ...(isSecret ? [value, credentials ?? ''] : [])])
      if (found.length >= MIN_SECRET_CHARS && !NO_SECRET.test(found)) this.secrets.add(found);
  }
}

/** The value of an unknown key is not read. */
const UNKNOWN: SettingSchema = { expected: '' };

const member = ({ path, key }: Setting, name: string, keyOrigin: Origin, isSecret: boolean): Setting => ({
  path: [...path, name],
  key: joinKey(key, name),
  keyOrigin,
  isSecret,
});

/** @param at its index; true for a single value that stands for a list, which has the key of the list */
const itemSetting = ({ path, key, isSecret }: Setting, { origin }: SourcedValue, at: number | true): Setting =>
  at === true
    ? { path: [...path, 0], key, keyOrigin: origin, isSecret }
    : { path: [...path, at], key: `${key}[${at}]`, keyOrigin: origin, isSecret };

/** The items of what is a list by its schema. The environment, which has no lists, may give a scalar for a list of one. */
function itemsFor(node: SourcedValue, schema: SettingSchema): readonly SourcedValue[] | undefined {
  const list = listSchemaOf(schema);
  if (!list) return node.kind === 'list' && isAny(schema) ? node.items : undefined;
  if (node.kind !== 'scalar') return itemsOf(node);
  const isSingle = list.orOne || (node.origin.from === 'environment' && list.items!.type !== 'object');
  return list === schema && isSingle ? [node] : undefined;
}

/** Whether values under this key are secrets; headers such as Authorization are. */
const holdsSecret = (key: string): boolean => isSecretKey(key) || /authorization$/i.test(key);

/** The texts that a value may be, where it has choices. */
const choicesOf = ({ enum: choices, anyOf }: SettingSchema): readonly unknown[] | undefined =>
  choices ?? anyOf?.find((branch) => branch.enum)?.enum;

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** What a text means where everything is text: `8080`, `true`. */
export function parseNotation(text: string, { type, enum: choices }: SettingSchema): string | number | boolean {
  const trimmed = text.trim();
  if (type === 'integer' && NUMBER.test(trimmed)) return Number(trimmed);
  const isTruth = type === 'boolean' || choices?.includes(true);
  return isTruth && /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === 'true' : text;
}
