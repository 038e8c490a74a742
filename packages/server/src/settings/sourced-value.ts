import { childOf, joinKey, sameKey } from './lookup.js';
import { listSchemaOf, type SettingSchema } from './setting-schema.js';
import type { Origin } from './settings-error.js';

export interface SourcedScalar {
  readonly kind: 'scalar';
  readonly value: null | boolean | number | string;
  readonly origin: Origin;
}

export interface SourcedList {
  readonly kind: 'list';
  readonly items: readonly SourcedValue[];
  readonly origin: Origin;
}

export interface SourcedMember {
  readonly key: string;
  readonly value: SourcedValue;
  /** The location of the key. */
  readonly origin: Origin;
}

export interface SourcedObject {
  readonly kind: 'object';
  readonly members: readonly SourcedMember[];
  readonly origin: Origin;
}

/** A JSON value in which each part has the location where it was set. */
export type SourcedValue = SourcedScalar | SourcedList | SourcedObject;

/** Gives all parts of a plain value the same origin. Undefined members are left out. */
export function withSource(value: unknown, origin: Origin): SourcedValue {
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => withSource(item, origin)), origin };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => ({ key, value: withSource(member, origin), origin }));
    return { kind: 'object', members, origin };
  }
  return { kind: 'scalar', value: value as SourcedScalar['value'], origin };
}

const INDEX = /^\d{1,6}$/;

/** Returns the items of a list. From the environment, an object whose keys are all indices is a list too. */
export function itemsOf(value: SourcedValue): readonly SourcedValue[] | undefined {
  if (value.kind === 'list') return value.items;
  return isIndexed(value) ? byIndex(value).map((member) => member.value) : undefined;
}

function isIndexed(value: SourcedValue): value is SourcedObject {
  if (value.kind !== 'object' || value.origin.from !== 'environment') return false;
  return value.members.length > 0 && value.members.every(({ key }) => INDEX.test(key));
}

const byIndex = ({ members }: SourcedObject) => [...members].sort((a, b) => Number(a.key) - Number(b.key));

/**
 * Merges two values; `over` wins. Objects are merged by key. Environment variables with an index replace the item of a
 * list, or append one.
 */
export function merge(schema: SettingSchema | undefined, under: SourcedValue, over: SourcedValue): SourcedValue {
  if (under.kind === 'object' && over.kind === 'object') return mergeObjects(schema, under, over);
  if (under.kind === 'list' && isIndexed(over)) return replaceItems(schema, under, over);
  return over;
}

function mergeObjects(schema: SettingSchema | undefined, under: SourcedObject, over: SourcedObject): SourcedObject {
  const members = [...under.members];
  for (const member of over.members) {
    const at = members.findIndex(({ key }) => sameKey(schema, key, member.key));
    const present = members[at];
    if (present) {
      const childSchema = schema && childOf(schema, present.key)?.schema;
      members[at] = { ...present, value: merge(childSchema, present.value, member.value) };
    } else members.push(member);
  }
  return { ...under, members };
}

function replaceItems(schema: SettingSchema | undefined, under: SourcedList, over: SourcedObject): SourcedList {
  const itemSchema = schema && (listSchemaOf(schema)?.items ?? schema);
  const items = [...under.items];
  for (const { key, value } of byIndex(over)) {
    const index = Number(key);
    const present = items[index];
    if (present) items[index] = merge(itemSchema, present, value);
    else items.push(value);
  }
  return { ...under, items };
}

/**
 * Returns the settings without some of them.
 * @param keys the settings to leave out, as messages name them: `Auth.Keys[0].Key`; case does not count
 */
export function leaveOut(tree: SourcedObject, keys: ReadonlySet<string>): SourcedObject {
  const unwanted = new Set([...keys].map((key) => key.toLowerCase()));
  const isWanted = (key: string) => !unwanted.has(key.toLowerCase());
  const without = (value: SourcedValue, key: string): SourcedValue => {
    const items = itemsOf(value)?.map((item, at) => ({ item, itemKey: `${key}[${at}]` }));
    if (items) {
      const kept = items.filter(({ itemKey }) => isWanted(itemKey));
      return { kind: 'list', items: kept.map(({ item, itemKey }) => without(item, itemKey)), origin: value.origin };
    }
    if (value.kind !== 'object') return value;
    const members = value.members
      .map((member) => ({ member, memberKey: joinKey(key, member.key) }))
      .filter(({ memberKey }) => isWanted(memberKey))
      .map(({ member, memberKey }) => ({ ...member, value: without(member.value, memberKey) }));
    return { ...value, members };
  };
  return without(tree, '') as SourcedObject;
}
