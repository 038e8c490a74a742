import { childOf, describeUnknownKey, joinKey, sameKey } from './lookup.js';
import { holdsSecret, noteSecrets, type ReadContext, readScalar, refuse, type SettingKey } from './read-scalar.js';
import { problemAt } from './settings-error.js';
import { indexedItems, type Located, type LocatedMember, type LocatedObject, withSource } from './sourced-value.js';
import type { ListType, RecordType, TextType, ValueType } from './value-type.js';

type Reader<T extends ValueType> = (node: Located, type: T, setting: SettingKey, context: ReadContext) => unknown;

const READERS: { readonly [K in ValueType['kind']]: Reader<Extract<ValueType, { kind: K }>> } = {
  boolean: (node, type, setting, context) =>
    readScalar(node, type, setting, context, (value) => (typeof value === 'boolean' ? value : undefined)),

  integer: (node, type, setting, context) =>
    readScalar(node, type, setting, context, (value) => {
      const fits = Number.isInteger(value) && Number(value) >= type.min && Number(value) <= type.max;
      return fits ? value : undefined;
    }),

  choice: (node, type, setting, context) =>
    readScalar(node, type, setting, context, (value) => {
      const choice = typeof value === 'string' ? value.trim().toLowerCase() : value;
      return type.of.find((allowed) => allowed === choice);
    }),

  path: (node, type, setting, context) =>
    readScalar(node, type, setting, context, (value) => {
      if (typeof value !== 'string' || value.includes('\0')) return undefined;
      if (value.trim() === '') return type.orEmpty ? '' : undefined;
      return type.command && !/[\\/]/.test(value) ? value : context.resolvePath(value, node.origin);
    }),

  text: (node, type, setting, context) =>
    readScalar(node, type, setting, context, (value, fetched) => {
      if (typeof value !== 'string' || !isAllowedText(value, type)) return undefined;
      if (type.secret !== 'never') noteSecrets(value, fetched, setting.secret || type.secret === 'always', context);
      return value;
    }),

  json: (node, type, setting, context) => {
    if (node.kind === 'object') return readMembers(node, type, setting, context);
    if (node.kind === 'list')
      return node.items.map((item, at) => readValue(item, type, itemSetting(setting, at), context));
    if (node.value === null) return null;
    return readScalar(node, type, setting, context, (value, fetched) => {
      if (typeof value === 'string') noteSecrets(value, fetched, setting.secret, context);
      return value;
    });
  },

  list: (node, type, setting, context) => {
    const items = itemsOf(node, type);
    if (!items) return refuse(node, type, setting, context);
    const settingOf = (at: number) => (items[0] === node ? setting : itemSetting(setting, at));
    return items.map((item, at) => readValue(item, type.of, settingOf(at), context));
  },

  map: (node, type, setting, context) =>
    node.kind === 'object' ? readMembers(node, type, setting, context) : refuse(node, type, setting, context),

  record: (node, type, setting, context) =>
    node.kind === 'object' ? readRecord(node, type, setting, context) : refuse(node, type, setting, context),
};

/**
 * The plain value of a located one, as its type says: references expanded, defaults filled in, paths absolute. What is
 * wrong goes to `context.report`, and then the value is of no use.
 */
export function readValue(node: Located, type: ValueType, setting: SettingKey, context: ReadContext): unknown {
  return (READERS[type.kind] as Reader<ValueType>)(node, type, setting, context);
}

const itemSetting = (setting: SettingKey, at: number): SettingKey => ({ ...setting, key: `${setting.key}[${at}]` });

function isAllowedText(value: string, { url, orEmpty, minLength = 0 }: TextType): boolean {
  if (url) return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return value.length >= minLength || (orEmpty === true && value === '');
}

/** The environment, which has no lists, may give one by index or, where an entry is a scalar, as a single value. */
function itemsOf(node: Located, type: ListType): readonly Located[] | undefined {
  if (node.kind === 'list') return node.items;
  if (node.kind === 'object') return indexedItems(node);
  const single = type.orOne || (node.origin.from === 'environment' && type.of.kind !== 'record');
  return single ? [node] : undefined;
}

function readMembers(
  node: LocatedObject,
  type: ValueType,
  setting: SettingKey,
  context: ReadContext,
): Record<string, unknown> {
  const named = type.kind === 'map' && type.keys === 'names';
  const members = withoutDuplicates(node, type, setting, context).map(({ key, value }) => {
    const childSetting = { key: joinKey(setting.key, key), secret: setting.secret || (!named && holdsSecret(key)) };
    return [key, readValue(value, childOf(type, key)!.type, childSetting, context)];
  });
  return Object.fromEntries(members);
}

function readRecord(
  node: LocatedObject,
  type: RecordType,
  setting: SettingKey,
  context: ReadContext,
): Record<string, unknown> {
  const given = new Map<string, LocatedMember>();
  for (const member of withoutDuplicates(node, type, setting, context)) {
    const known = childOf(type, member.key);
    if (known) given.set(known.key, member);
    else {
      const key = joinKey(setting.key, member.key);
      context.report(problemAt(member.origin, { key, ...describeUnknownKey(setting.key, type, member.key) }));
    }
  }
  reportCombination(node, type, setting, given, context);

  const values: [string, unknown][] = [];
  for (const [name, { type: memberType, default: defaultValue }] of Object.entries(type.members)) {
    const value =
      given.get(name)?.value ??
      (defaultValue === undefined ? undefined : withSource(defaultValue, { from: 'defaults' }));
    if (value)
      values.push([name, readValue(value, memberType, { ...setting, key: joinKey(setting.key, name) }, context)]);
  }
  return Object.fromEntries(values);
}

function withoutDuplicates(
  node: LocatedObject,
  type: ValueType,
  setting: SettingKey,
  context: ReadContext,
): LocatedMember[] {
  return node.members.filter((member, at) => {
    const first = node.members.findIndex(({ key }) => sameKey(type, key, member.key));
    if (first === at) return true;
    const key = joinKey(setting.key, member.key);
    const message = `${key} is there twice${node.members[first]!.key === member.key ? '' : '; case does not count'}.`;
    context.report(problemAt(member.origin, { key, message, hint: 'Remove one of the two.' }));
    return false;
  });
}

/** Members that are missing, or that do not go together. */
function reportCombination(
  node: LocatedObject,
  type: RecordType,
  setting: SettingKey,
  given: ReadonlyMap<string, LocatedMember>,
  context: ReadContext,
): void {
  const report = (origin: LocatedObject['origin'], name: string, message: string, hint: string) =>
    context.report(problemAt(origin, { key: name ? joinKey(setting.key, name) : setting.key, message, hint }));

  for (const [name, { required, requires, description }] of Object.entries(type.members)) {
    const member = given.get(name);
    const full = joinKey(setting.key, name);
    if (required && !member) report(node.origin, name, `${full} is missing.`, description);
    if (requires && member && !given.has(requires)) {
      report(member.origin, name, `${full} has no meaning without ${requires}.`, `Remove it, or give ${requires}.`);
    }
  }
  if (!type.oneOf) return;
  const there = type.oneOf.filter((name) => given.has(name));
  const either = type.oneOf.join(' or ');
  if (!there.length)
    report(node.origin, '', `${setting.key} has neither ${type.oneOf.join(' nor ')}.`, `Give it ${either}.`);
  if (there.length > 1)
    report(node.origin, '', `${setting.key} has both ${there.join(' and ')}.`, `Keep one: ${either}.`);
}
