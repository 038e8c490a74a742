import { childOf, describeUnknownKey, joinKey, sameKey, wasSetting } from './lookup.js';
import { collectSecrets, holdsSecret, parseScalar, type ReadContext, refuse, type SettingKey } from './parse-scalar.js';
import { pointerPart, type SettingOwner } from './setting-owner.js';
import { problemAt } from './settings-error.js';
import {
  indexedItems,
  type SourcedMember,
  type SourcedObject,
  type SourcedValue,
  withSource,
} from './sourced-value.js';
import {
  type ListType,
  list,
  PACKAGE_NAME,
  type RecordType,
  type TextType,
  text,
  type ValueType,
} from './value-type.js';

type Reader<T extends ValueType> = (node: SourcedValue, type: T, setting: SettingKey, context: ReadContext) => unknown;

const READERS: { readonly [K in ValueType['kind']]: Reader<Extract<ValueType, { kind: K }>> } = {
  boolean: (node, type, setting, context) =>
    parseScalar(node, type, setting, context, (value) => (typeof value === 'boolean' ? value : undefined)),

  integer: (node, type, setting, context) =>
    parseScalar(node, type, setting, context, (value) => {
      const fits = Number.isInteger(value) && Number(value) >= type.min && Number(value) <= type.max;
      return fits ? value : undefined;
    }),

  choice: (node, type, setting, context) =>
    parseScalar(node, type, setting, context, (value) => {
      const choice = typeof value === 'string' ? value.trim().toLowerCase() : value;
      return type.of.find((allowed) => allowed === choice);
    }),

  choiceOrNames: (node, type, setting, context) => {
    const names = list(text({ minLength: 1, secret: 'never' }));
    if (node.kind !== 'scalar') return parseValue(node, names, setting, context);
    return parseScalar(node, type, setting, context, (value) => {
      const choice = typeof value === 'string' ? value.trim().toLowerCase() : value;
      return type.of.find((allowed) => allowed === choice);
    });
  },

  path: (node, type, setting, context) =>
    parseScalar(node, type, setting, context, (value) => {
      if (typeof value !== 'string' || value.includes('\0')) return undefined;
      if (value.trim() === '') return type.orEmpty ? '' : undefined;
      return type.command && !/[\\/]/.test(value) ? value : context.resolvePath(value, node.origin);
    }),

  text: (node, type, setting, context) =>
    parseScalar(node, type, setting, context, (value, fetched) => {
      if (typeof value !== 'string' || !isAllowedText(value, type)) return undefined;
      if (type.secret !== 'never') collectSecrets(value, fetched, setting.secret || type.secret === 'always', context);
      return value;
    }),

  json: (node, type, setting, context) => {
    if (node.kind === 'object') return parseMembers(node, type, setting, context);
    if (node.kind === 'list')
      return node.items.map((item, at) => parseValue(item, type, itemSetting(setting, at), context));
    if (node.value === null) return null;
    return parseScalar(node, type, setting, context, (value, fetched) => {
      if (typeof value === 'string') collectSecrets(value, fetched, setting.secret, context);
      return value;
    });
  },

  list: (node, type, setting, context) => {
    const items = itemsOf(node, type);
    if (!items) return refuse(node, type, setting, context);
    const settingOf = (at: number) => (items[0] === node ? setting : itemSetting(setting, at));
    return items.map((item, at) => parseValue(item, type.of, settingOf(at), context));
  },

  map: (node, type, setting, context) =>
    node.kind === 'object' ? parseMembers(node, type, setting, context) : refuse(node, type, setting, context),

  record: (node, type, setting, context) =>
    node.kind === 'object' ? parseRecord(node, type, setting, context) : refuse(node, type, setting, context),
};

/**
 * The plain value of a located one, as its type says: references expanded, defaults filled in, paths absolute. What is
 * wrong goes to `context.report`, and then the value is of no use.
 */
export function parseValue(node: SourcedValue, type: ValueType, setting: SettingKey, context: ReadContext): unknown {
  return (READERS[type.kind] as Reader<ValueType>)(node, type, setting, context);
}

const itemSetting = (setting: SettingKey, at: number): SettingKey => ({
  ...setting,
  key: `${setting.key}[${at}]`,
  owner: ownerOf(setting, at),
});

/** Below an entry of a plugin or mounted server everything is its own. */
const ownerOf = ({ owner }: SettingKey, key: string | number): SettingOwner | undefined =>
  owner && { ...owner, pointer: owner.pointer + pointerPart(key) };

function isAllowedText(value: string, { url, packageName, orEmpty, minLength = 0 }: TextType): boolean {
  if (packageName) return PACKAGE_NAME.test(value);
  if (url) return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return value.length >= minLength || (orEmpty === true && value === '');
}

/** The environment, which has no lists, may give one by index or, where an entry is a scalar, as a single value. */
function itemsOf(node: SourcedValue, type: ListType): readonly SourcedValue[] | undefined {
  if (node.kind === 'list') return node.items;
  if (node.kind === 'object') return indexedItems(node);
  const single = type.orOne || (node.origin.from === 'environment' && type.of.kind !== 'record');
  return single ? [node] : undefined;
}

function parseMembers(
  node: SourcedObject,
  type: ValueType,
  setting: SettingKey,
  context: ReadContext,
): Record<string, unknown> {
  const named = type.kind === 'map' && type.keys === 'names';
  const members = withoutDuplicates(node, type, setting, context).map(({ key, value }) => {
    const isOwner = type.kind === 'map' && type.isPerPlugin === true;
    const childSetting = {
      key: joinKey(setting.key, key),
      secret: setting.secret || (!named && holdsSecret(key)),
      owner: isOwner ? { section: setting.key, name: key, pointer: '' } : ownerOf(setting, key),
    };
    return [key, parseValue(value, childOf(type, key)!.type, childSetting, context)];
  });
  return Object.fromEntries(members);
}

function parseRecord(
  node: SourcedObject,
  type: RecordType,
  setting: SettingKey,
  context: ReadContext,
): Record<string, unknown> {
  const membersByName = new Map<string, SourcedMember>();
  for (const member of withoutDuplicates(node, type, setting, context)) {
    const child = childOf(type, member.key);
    if (child) membersByName.set(child.key, member);
    else {
      const key = joinKey(setting.key, member.key);
      if (wasSetting(key)) context.warn(`${key} is no longer a setting, and is ignored.`);
      else context.report(problemAt(member.origin, { key, ...describeUnknownKey(setting.key, type, member.key) }));
    }
  }
  reportCombination(node, type, setting, membersByName, context);

  const values: [string, unknown][] = [];
  for (const [name, { type: memberType, default: defaultValue }] of Object.entries(type.members)) {
    const value =
      membersByName.get(name)?.value ??
      (defaultValue === undefined ? undefined : withSource(defaultValue, { from: 'defaults' }));
    if (value)
      values.push([
        name,
        parseValue(
          value,
          memberType,
          { ...setting, key: joinKey(setting.key, name), owner: ownerOf(setting, name) },
          context,
        ),
      ]);
  }
  return Object.fromEntries(values);
}

function withoutDuplicates(
  node: SourcedObject,
  type: ValueType,
  setting: SettingKey,
  context: ReadContext,
): SourcedMember[] {
  return node.members.filter((member, at) => {
    const first = node.members.findIndex(({ key }) => sameKey(type, key, member.key));
    if (first === at) return true;
    const key = joinKey(setting.key, member.key);
    const message = `${key} is a duplicate key${node.members[first]!.key === member.key ? '' : ' (keys are case-insensitive)'}.`;
    context.report(problemAt(member.origin, { key, message, hint: 'Remove one of the two.' }));
    return false;
  });
}

/** Members that are missing, or that do not go together. */
function reportCombination(
  node: SourcedObject,
  type: RecordType,
  setting: SettingKey,
  membersByName: ReadonlyMap<string, SourcedMember>,
  context: ReadContext,
): void {
  const report = (origin: SourcedObject['origin'], name: string, message: string, hint: string) =>
    context.report(problemAt(origin, { key: name ? joinKey(setting.key, name) : setting.key, message, hint }));

  for (const [name, { required, requires, description }] of Object.entries(type.members)) {
    const member = membersByName.get(name);
    const full = joinKey(setting.key, name);
    if (required && !member) report(node.origin, name, `${full} is missing.`, description);
    if (requires && member && !membersByName.has(requires)) {
      report(member.origin, name, `${full} requires ${requires}.`, `Remove it, or give ${requires}.`);
    }
  }
  if (!type.oneOf) return;
  const there = type.oneOf.filter((name) => membersByName.has(name));
  const either = type.oneOf.join(' or ');
  if (!there.length) report(node.origin, '', `${setting.key} needs either ${either}.`, `Add ${either}.`);
  if (there.length > 1)
    report(node.origin, '', `${setting.key} has both ${there.join(' and ')}.`, `Keep one: ${either}.`);
}
