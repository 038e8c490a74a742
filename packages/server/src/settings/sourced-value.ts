import { childOf, sameKey } from './lookup.js';
import type { Origin } from './origin.js';
import type { ValueType } from './value-type.js';

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

/** A JSON value with the location at which each part was set. */
export type SourcedValue = SourcedScalar | SourcedList | SourcedObject;

/** A plain value, all of it from one origin. Members that are undefined stay out. */
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

/** The items of a list that was given by index, as environment variables do; undefined when it is anything else. */
export function indexedItems(value: SourcedValue): readonly SourcedValue[] | undefined {
  if (value.kind !== 'object' || value.origin.from !== 'environment') return undefined;
  if (!value.members.length || !value.members.every(({ key }) => INDEX.test(key))) return undefined;
  return [...value.members].sort((a, b) => Number(a.key) - Number(b.key)).map((member) => member.value);
}

/** The items of the list under these keys, where a single value is accepted as a list; empty if it is not set. */
export function itemsAt(value: SourcedValue, keys: readonly string[]): readonly SourcedValue[] {
  const [key, ...rest] = keys;
  if (key === undefined) return value.kind === 'list' ? value.items : (indexedItems(value) ?? [value]);
  if (value.kind !== 'object') return [];
  const member = value.members.find((one) => sameKey(undefined, one.key, key));
  return member ? itemsAt(member.value, rest) : [];
}

/** `over` wins; objects are merged by key, and single entries of a list can be replaced or added by their index. */
export function merge(type: ValueType | undefined, under: SourcedValue, over: SourcedValue): SourcedValue {
  if (under.kind === 'object' && over.kind === 'object') return mergeObjects(type, under, over);
  if (under.kind === 'list' && over.kind === 'object' && indexedItems(over)) return replaceItems(type, under, over);
  return over;
}

function mergeObjects(type: ValueType | undefined, under: SourcedObject, over: SourcedObject): SourcedObject {
  const members = [...under.members];
  for (const member of over.members) {
    const at = members.findIndex(({ key }) => sameKey(type, key, member.key));
    const present = members[at];
    if (present) {
      const childType = type && childOf(type, present.key)?.type;
      members[at] = { ...present, value: merge(childType, present.value, member.value) };
    } else members.push(member);
  }
  return { ...under, members };
}

function replaceItems(type: ValueType | undefined, under: SourcedList, over: SourcedObject): SourcedList {
  const itemType = type?.kind === 'list' ? type.of : type;
  const items = [...under.items];
  for (const { key, value } of [...over.members].sort((a, b) => Number(a.key) - Number(b.key))) {
    const index = Number(key);
    const present = items[index];
    if (present) items[index] = merge(itemType, present, value);
    else items.push(value);
  }
  return { ...under, items };
}
