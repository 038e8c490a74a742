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

/** The place at which a setting was set. */
export interface Place {
  /** The setting, as messages name it: `Auth.Keys[0].Name`. */
  readonly key: string;
  readonly origin: Origin;
  /** The location of the setting's key. */
  readonly keyOrigin: Origin;
  /** True if the setting, or one that contains it, is secret, or if the value was fetched. */
  readonly isSecret: boolean;
  /** True if the value is from the environment or a reference: it is text, but can stand for a number or a boolean. */
  readonly isLoose: boolean;
}

/** The places of all settings that are set, by their JSON pointers. */
export type Places = ReadonlyMap<string, Place>;

/** Returns the place of a setting. If the setting is not set, returns the place of the nearest one that contains it. */
export function placeOf(places: Places, path: SettingPath): Place {
  return places.get(pointerOf(path)) ?? placeOf(places, path.slice(0, -1));
}

/** The inputs of references and relative paths. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder at which relative paths from flags start. */
  readonly cwd: string;
  /** The folder at which all other relative paths start. */
  readonly baseDir: string;
}

type Setting = Pick<Place, 'key' | 'keyOrigin' | 'isSecret'> & { readonly path: SettingPath };

const MAX_REFERENCED_BYTES = 1024 * 1024;
/** Shorter values occur in ordinary text, so they are not redacted (docs/spec/redaction.md#redaction-configured). */
const MIN_SECRET_CHARS = 6;
const NEVER_SECRET = /^(?:true|false|[-+]?\d+(?:\.\d+)?)$/i;

/**
 * Converts located values to plain values according to their schemas: fetches references, converts text from the
 * environment, fills in defaults, and makes paths absolute. A value that violates its schema is not changed;
 * `violations` finds it later.
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

  /** Returns the plain value. It is undefined, at any level, where a reference cannot be fetched. */
  resolve(
    node: SourcedValue,
    schema: SettingSchema,
    setting: Setting = { path: [], key: '', keyOrigin: node.origin, isSecret: false },
  ): unknown {
    const { path, key, keyOrigin, isSecret } = setting;
    // No message needs the place of a default, because defaults are never wrong. This saves a hundred places at each start.
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
    const entries = this.#distinctMembers(node, schema, setting).flatMap(({ key, value, origin }) => {
      const child = childOf(schema, key);
      const isSecret = setting.isSecret || (schema.keys !== 'names' && holdsSecret(key));
      return child ? [[key, this.resolve(value, child.schema, memberSetting(setting, key, origin, isSecret))]] : [];
    });
    return Object.fromEntries(entries);
  }

  #record(node: SourcedObject, schema: SettingSchema, setting: Setting): Record<string, unknown> {
    const membersByName = new Map<string, SourcedMember>();
    for (const member of this.#distinctMembers(node, schema, setting)) {
      const name = childOf(schema, member.key)?.key ?? member.key;
      const key = joinKey(setting.key, name);
      if (wasSetting(key)) this.warnings.push(`${key} is no longer a setting, and is ignored.`);
      else membersByName.set(name, member);
    }
    const { properties = {} } = schema;
    for (const [name, { default: defaultValue }] of Object.entries(properties)) {
      if (membersByName.has(name) || defaultValue === undefined) continue;
      const origin = { from: 'defaults' } as const;
      membersByName.set(name, { key: name, value: withSource(defaultValue, origin), origin });
    }
    const names = new Set([...Object.keys(properties), ...membersByName.keys()]);
    const entries = [...names].flatMap((name) => {
      const member = membersByName.get(name);
      if (!member) return [];
      const memberSchema = (Object.hasOwn(properties, name) && properties[name]) || UNKNOWN;
      const childSetting = memberSetting(setting, name, member.origin, setting.isSecret);
      return [[name, this.resolve(member.value, memberSchema, childSetting)]];
    });
    return Object.fromEntries(entries);
  }

  /** Returns the members without duplicate keys, which become problems. */
  #distinctMembers(node: SourcedObject, schema: SettingSchema, setting: Setting): SourcedMember[] {
    return node.members.filter((member, index) => {
      const firstIndex = node.members.findIndex(({ key }) => sameKey(schema, key, member.key));
      if (firstIndex === index) return true;
      const key = joinKey(setting.key, member.key);
      const isSameCase = node.members[firstIndex]!.key === member.key;
      const message = `${key} is a duplicate key${isSameCase ? '' : ' (keys are case-insensitive)'}.`;
      this.problems.push(problemAt(member.origin, { key, message, hint: 'Remove one of the two.' }));
      return false;
    });
  }

  #scalar({ value, origin }: SourcedScalar, schema: SettingSchema, setting: Setting): unknown {
    if (typeof value !== 'string' || schema.type === 'array' || schema.type === 'object') return value;
    const { text, fetched, problems } = interpolate(value, this.#sources(origin, setting));
    if (problems.length) {
      for (const { message, hint } of problems) this.#reportUnavailable(origin, setting, message, hint);
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

  /** Makes a choice lower-case and a path absolute. A blank path becomes the empty one, if that is allowed. */
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

  /** Reports a reference that cannot be fetched. If it belongs to one plugin or mounted server, only that one fails. */
  #reportUnavailable(origin: Origin, { key, path }: Setting, message: string, hint: string): void {
    const problem = problemAt(origin, { key, message: `${key}: ${message}`, hint });
    const owner = ownerOf(path);
    if (owner) this.unavailable.push({ owner, problem });
    else this.problems.push(problem);
  }

  /** Collects the values to redact: fetched values, and secret values with and without a scheme such as Bearer. */
  #collectSecrets(value: string, fetched: readonly string[], isSecret: boolean): void {
    const credentials = /^(?:basic|bearer|token|apikey)\s+(\S.*)$/i.exec(value)?.[1];
    for (const secret of [...fetched, ...(isSecret ? [value, credentials ?? ''] : [])])
      if (secret.length >= MIN_SECRET_CHARS && !NEVER_SECRET.test(secret)) this.secrets.add(secret);
  }
}

/** Stands for the schema of an unknown key, whose value is not read. */
const UNKNOWN: SettingSchema = { expected: '' };

const memberSetting = ({ path, key }: Setting, name: string, keyOrigin: Origin, isSecret: boolean): Setting => ({
  path: [...path, name],
  key: joinKey(key, name),
  keyOrigin,
  isSecret,
});

/** @param at the index; true for a single value that stands for a list, so that its key is the list's */
const itemSetting = ({ path, key, isSecret }: Setting, { origin }: SourcedValue, at: number | true): Setting =>
  at === true
    ? { path: [...path, 0], key, keyOrigin: origin, isSecret }
    : { path: [...path, at], key: `${key}[${at}]`, keyOrigin: origin, isSecret };

/**
 * Returns the items of a value whose schema is a list. A scalar can stand for a list of one if the schema says so, or
 * if the scalar is from the environment, which has no lists.
 */
function itemsFor(node: SourcedValue, schema: SettingSchema): readonly SourcedValue[] | undefined {
  const list = listSchemaOf(schema);
  if (!list) return node.kind === 'list' && isAny(schema) ? node.items : undefined;
  if (node.kind !== 'scalar') return itemsOf(node);
  const isSingle = list.orOne || (node.origin.from === 'environment' && list.items!.type !== 'object');
  return list === schema && isSingle ? [node] : undefined;
}

/** True if the values under this key are secret, as in the header Authorization. */
const holdsSecret = (key: string): boolean => isSecretKey(key) || /authorization$/i.test(key);

/** Returns the texts that the schema allows, if it has choices. */
const choicesOf = ({ enum: choices, anyOf }: SettingSchema): readonly unknown[] | undefined =>
  choices ?? anyOf?.find((branch) => branch.enum)?.enum;

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** Converts text to the number or boolean that it stands for, such as `8080` or `true`, if the schema allows these. */
export function parseNotation(text: string, { type, enum: choices }: SettingSchema): string | number | boolean {
  const trimmed = text.trim();
  if (type === 'integer' && NUMBER.test(trimmed)) return Number(trimmed);
  const allowsBoolean = type === 'boolean' || choices?.includes(true);
  return allowsBoolean && /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === 'true' : text;
}
