import { isPrivateKeyMember } from './detectors/json-web.js';
import { setMember, toJsonInput } from './json-input.js';
import { isDescribingKey, isDescribingType } from './values/json-below.js';
import { isValueKey, namesValue } from './values/name-value-pairs.js';
import type { KeyKind } from './values/secret-key.js';

type SecretKind = Exclude<KeyKind, undefined>;

/** The rules by which the strings and keys of a value are redacted. */
export interface StringRules {
  text(text: string): string;
  /** Redacts a string under a secret key. */
  secret(text: string, kind: SecretKind): string;
  /** Returns the kind of secret that a key names. */
  kindOf(key: string): KeyKind;
  key(key: string): Key;
}

export interface Key {
  /** The key in the copy. */
  readonly redacted: string;
  readonly kind: KeyKind;
  /** The role of the member in `{"name": "ApiKey", "value": "x"}`. */
  readonly role: 'name' | 'value' | undefined;
}

/** Results repeat their keys, so keys are cached: this many, of at most this length. */
const MAX_KEYS = 2000;
const MAX_KEY_CHARS = 64;

/** Creates the rule for keys, with a cache, from the rules for strings. */
export function keysBy({ text, kindOf }: Pick<StringRules, 'text' | 'kindOf'>): StringRules['key'] {
  const cache = new Map<string, Key>();
  const read = (key: string): Key => {
    const role = isValueKey(key) ? 'value' : namesValue(key) ? 'name' : undefined;
    return { redacted: text(key), kind: kindOf(key), role };
  };
  return (key) => {
    if (key.length > MAX_KEY_CHARS) return read(key);
    let cachedKey = cache.get(key);
    if (!cachedKey) {
      if (cache.size >= MAX_KEYS) cache.clear();
      cachedKey = read(key);
      cache.set(key, cachedKey);
    }
    return cachedKey;
  };
}

/** An object or list whose members have not been redacted yet. */
interface Task {
  readonly from: object;
  /** A shallow copy of `from`, whose members are replaced by redacted ones. */
  readonly to: object;
  /** The kind of secret that the container's key or a key further out names. */
  readonly kind: KeyKind;
  readonly keyContext: KeyContext;
}

/**
 * The way to read the members of a container, which depends on its key. `names`: its keys are the properties of a JSON
 * Schema; `headers`: a list in which names and values alternate; `pairs`: a list inside a list, which may consist of a
 * name and its value.
 */
type KeyContext = 'names' | 'headers' | 'pairs' | undefined;

const SCHEMAS_BY_NAME = /^(?:properties|patternProperties|\$defs|definitions)$/;
const RAW_HEADERS = /^raw(?:Headers|Trailers)$/;

const SECRET_OPTION = /^--?[A-Za-z][\w.-]*$/;
const CREDENTIALS = /^(?:Basic|Bearer|Digest|Negotiate|Token)\s/i;

/** `immutable()` of the plugin contract sets this member to true. */
const IMMUTABLE: unique symbol = Symbol.for('mortise.immutable');

/** Creates a function that redacts values by the rules. It redacts an immutable object once and caches its copy. */
export function valueRedactor(rules: StringRules): <T>(value: T) => T {
  const cache = new WeakMap<object, object>();
  const copyImmutable = (value: object): object => {
    let redacted = cache.get(value);
    if (!redacted) {
      redacted = redactValue(value, rules);
      cache.set(value, redacted);
    }
    return redacted;
  };
  return (value) => redactValue(value, rules, copyImmutable);
}

/**
 * Returns a deep copy of a JSON value in which the rules have redacted every string and key. Values with `toJSON` and
 * errors are copied in the form in which JSON writes them. The copy has the same cycles and shared objects. Depth is
 * bounded only by memory.
 *
 * @param copyImmutable returns the cached copy of an immutable object; without it, such an object is copied like any
 *   other
 */
function redactValue<T>(value: T, rules: StringRules, copyImmutable?: (value: object) => object): T {
  const tasks: Task[] = [];
  const copies = new Map<object, object>();

  const copyOf: CopyOf = (member, kind, keyContext) => {
    if (typeof member === 'string') return kind ? rules.secret(member, kind) : rules.text(member);
    if (typeof member !== 'object' || member === null) return member;
    const from = toJsonInput(member);
    if (typeof from !== 'object' || from === null) return copyOf(from, kind);
    if (copyImmutable && !kind && isImmutable(from)) return copyImmutable(from);
    const copy = copies.get(from);
    if (copy) return copy;
    const isList = Array.isArray(from);
    const to = isList ? from.slice() : { ...from };
    const memberKind = isList ? kind : kindOfMembers(kind, from);
    // An object under a secret key is not shared, because it may also be under a key that is not secret.
    if (!memberKind) copies.set(from, to);
    tasks.push({ from, to, kind: memberKind, keyContext });
    return to;
  };

  const result = copyOf(value, undefined);
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if (Array.isArray(task.from)) redactList(task.from, task.to as unknown[], task, rules, copyOf);
    else redactMembers(task.to as Record<string, unknown>, task, rules, copyOf);
  }
  return result as T;
}

type CopyOf = (member: unknown, kind: KeyKind, keyContext?: KeyContext) => unknown;

/** Returns the kind of an object's strings. Under a secret key they are secret, unless the object is a description. */
function kindOfMembers(kind: KeyKind, object: object): KeyKind {
  return kind === 'secret' && !isDescription(object) ? kind : undefined;
}

/** True for a JSON Schema and for an entry of a lock file, whose strings are public. */
function isDescription(object: object): boolean {
  const keys = Object.keys(object);
  if (keys.some(isDescribingKey)) return true;
  // `terraform output -json` writes the type of a value next to the value.
  if (keys.some(isValueKey)) return false;
  const { type, target } = object as { type?: unknown; target?: unknown };
  const isType = (key: string, value: unknown) => typeof value === 'string' && isDescribingType(key, value);
  return [type].flat().some((item) => isType('type', item)) || isType('target', target);
}

function redactList(from: readonly unknown[], to: unknown[], task: Task, rules: StringRules, copyOf: CopyOf): void {
  const isPair = task.keyContext === 'pairs' && from.length === 2;
  for (let index = 0; index < from.length; index++) {
    const member = from[index];
    const isValue = index % 2 === 1 && (isPair || task.keyContext === 'headers');
    const ownKind = isValue ? kindOfName(from[index - 1], rules) : kindAfter(from[index - 1], member, rules);
    to[index] = copyOf(member, task.kind ?? ownKind, Array.isArray(member) ? 'pairs' : undefined);
  }
}

/** Reads the name before a value: `[["password", "x"]]`, `rawHeaders: ["X-Api-Key", "x"]`. */
function kindOfName(name: unknown, rules: StringRules): KeyKind {
  return typeof name === 'string' && name.length <= MAX_OPTION_CHARS ? rules.kindOf(name) : undefined;
}

/** Reads lists of arguments and headers: `["--password", "x"]`, `["Authorization", "Bearer x"]`. */
function kindAfter(previous: unknown, member: unknown, rules: StringRules): KeyKind {
  if (typeof previous !== 'string' || typeof member !== 'string') return undefined;
  const kind = previous.length <= MAX_OPTION_CHARS ? rules.kindOf(previous) : undefined;
  if (kind === 'authorization') return CREDENTIALS.test(member) ? kind : undefined;
  return SECRET_OPTION.test(previous) && !member.startsWith('--') ? kind : undefined;
}

const MAX_OPTION_CHARS = 100;

function redactMembers(
  members: Record<string, unknown>,
  { from, kind: outerKind, keyContext }: Task,
  rules: StringRules,
  copyOf: CopyOf,
): void {
  const names = Object.keys(members);
  const values = Object.values(members);
  const keys: Key[] = [];
  let secretName: string | undefined;
  let hasValue = false;
  let areUnchanged = true;
  for (let index = 0; index < names.length; index++) {
    const key = rules.key(names[index]!);
    keys.push(key);
    if (key.role === 'name') secretName ??= stringOf(values[index]);
    else if (key.role === 'value') hasValue = true;
    if (key.redacted !== names[index]) areUnchanged = false;
  }
  const isJsonWebKey = typeof members.kty === 'string';
  const kindOfValue = secretName === undefined ? undefined : rules.kindOf(secretName);
  for (let index = 0; index < names.length; index++) {
    const { kind, role } = keys[index]!;
    const ownKind = keyContext === 'names' && typeof values[index] === 'object' ? undefined : kind;
    const inheritedKind = role === 'name' && hasValue ? undefined : outerKind;
    const memberKind =
      ownKind ??
      inheritedKind ??
      (isJsonWebKey && isPrivateKeyMember(names[index]!) ? 'secret' : undefined) ??
      (role === 'value' ? kindOfValue : undefined);
    const copy = copyOf(values[index], memberKind, keyContextUnder(names[index]!, from));
    if (copy !== values[index]) members[names[index]!] = copy;
  }
  if (!areUnchanged) rename(members, names, keys);
}

function keyContextUnder(key: string, object: object): KeyContext {
  if (RAW_HEADERS.test(key)) return 'headers';
  return SCHEMAS_BY_NAME.test(key) && isDescription(object) ? 'names' : undefined;
}

function stringOf(member: unknown): string | undefined {
  return typeof member === 'string' ? member : undefined;
}

/** Replaces the keys of the members by their redacted keys, and keeps the order of the members. */
function rename(members: Record<string, unknown>, names: readonly string[], keys: readonly Key[]): void {
  const values = names.map((name) => members[name]);
  for (const name of names) delete members[name];
  const usedNames = new Map<string, number>();
  for (let index = 0; index < names.length; index++)
    setMember(members, freeKey(keys[index]!.redacted, usedNames), values[index]);
}

/** Numbers keys that are equal after redaction, so that no member is lost. */
function freeKey(key: string, usedNames: Map<string, number>): string {
  let count = (usedNames.get(key) ?? 0) + 1;
  let free = count === 1 ? key : `${key} (${count})`;
  while (usedNames.has(free)) free = `${key} (${++count})`;
  usedNames.set(key, count);
  if (free !== key) usedNames.set(free, 1);
  return free;
}

function isImmutable(value: object): boolean {
  return (value as { [IMMUTABLE]?: unknown })[IMMUTABLE] === true && Object.isFrozen(value);
}
