import { isPrivateKeyMember } from './detectors/json-web.js';
import { setMember, toJsonInput } from './json-input.js';
import { isDescribingKey, isDescribingType } from './values/json-below.js';
import { isValueKey, namesValue } from './values/name-value-pairs.js';
import type { KeyKind } from './values/secret-key.js';

type SecretKind = Exclude<KeyKind, undefined>;

/** What becomes of the strings of a value. */
export interface StringRules {
  text(text: string): string;
  /** A string under a secret key. */
  secret(text: string, kind: SecretKind): string;
  kindOf(key: string): KeyKind;
  /** The key as it is in the copy, and how it affects the value under it. */
  key(key: string): Key;
}

export interface Key {
  readonly redacted: string;
  readonly kind: KeyKind;
  /** The role of the member in `{"name": "ApiKey", "value": "x"}`. */
  readonly role: 'name' | 'value' | undefined;
}

/** The maximum number and length of cached keys, because results repeat their keys. */
const MAX_KEYS = 2000;
const MAX_KEY_CHARS = 64;

/** How keys are copied and what they mean, by the rules for strings. */
export function keysBy({ text, kindOf }: Pick<StringRules, 'text' | 'kindOf'>): StringRules['key'] {
  const cache = new Map<string, Key>();
  const read = (key: string): Key => {
    const role = isValueKey(key) ? 'value' : namesValue(key) ? 'name' : undefined;
    return { redacted: text(key), kind: kindOf(key), role };
  };
  return (key) => {
    if (key.length > MAX_KEY_CHARS) return read(key);
    let found = cache.get(key);
    if (!found) {
      if (cache.size >= MAX_KEYS) cache.clear();
      found = read(key);
      cache.set(key, found);
    }
    return found;
  };
}

/** A container whose members are still to be taken care of. */
interface Task {
  readonly from: object;
  /** The copy; unredacted until it is complete. */
  readonly to: object;
  /** The kind of the key that it is under, or of a key further out. */
  readonly kind: KeyKind;
  /** How the members of a container are read, according to the key that it is under. */
  readonly keyContext: KeyContext;
}

/**
 * `names`: the keys are names that a JSON Schema gives a schema each; `headers`: a list of names and values by turns; `pairs`: a list
 * in a list, which may be a name and its value.
 */
type KeyContext = 'names' | 'headers' | 'pairs' | undefined;

const SCHEMAS_BY_NAME = /^(?:properties|patternProperties|\$defs|definitions)$/;
const RAW_HEADERS = /^raw(?:Headers|Trailers)$/;

const SECRET_OPTION = /^--?[A-Za-z][\w.-]*$/;
const CREDENTIALS = /^(?:Basic|Bearer|Digest|Negotiate|Token)\s/i;

/** What `immutable()` of the plugin contract made bears this, true. */
const IMMUTABLE: unique symbol = Symbol.for('mortise.immutable');

/** Redacts values by the rules; what never changes is redacted once. */
export function valueRedactor(rules: StringRules): <T>(value: T) => T {
  const cache = new WeakMap<object, object>();
  const ofImmutable = (value: object): object => {
    let redacted = cache.get(value);
    if (!redacted) {
      redacted = redactValue(value, rules);
      cache.set(value, redacted);
    }
    return redacted;
  };
  return (value) => redactValue(value, rules, ofImmutable);
}

/**
 * A deep copy of a JSON value in which every string and key went through the rules. Values that JSON would write
 * otherwise (`toJSON`, errors) are copied as written so; cycles and shared parts stay what they are. Depth is bounded
 * by memory alone.
 *
 * @param ofImmutable gives the copy of what never changes; without it that is copied as anything else
 */
function redactValue<T>(value: T, rules: StringRules, ofImmutable?: (value: object) => object): T {
  const tasks: Task[] = [];
  const copies = new Map<object, object>();

  const copyOf: CopyOf = (member, kind, keyContext) => {
    if (typeof member === 'string') return kind ? rules.secret(member, kind) : rules.text(member);
    if (typeof member !== 'object' || member === null) return member;
    const from = toJsonInput(member);
    if (typeof from !== 'object' || from === null) return copyOf(from, kind);
    if (ofImmutable && !kind && isImmutable(from)) return ofImmutable(from);
    const cache = copies.get(from);
    if (cache) return cache;
    const isList = Array.isArray(from);
    const to = isList ? from.slice() : { ...from };
    const below = isList ? kind : kindBelow(kind, from);
    if (!below) copies.set(from, to);
    tasks.push({ from, to, kind: below, keyContext });
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

/** What an object's strings are when it is under a secret key: secret, unless it describes something. */
function kindBelow(kind: KeyKind, object: object): KeyKind {
  return kind === 'secret' && !isDescription(object) ? kind : undefined;
}

function isDescription(object: object): boolean {
  const keys = Object.keys(object);
  if (keys.some(isDescribingKey)) return true;
  // `terraform output -json` gives the type of a value beside the value.
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
    const before = isValue ? kindOfName(from[index - 1], rules) : kindAfter(from[index - 1], member, rules);
    to[index] = copyOf(member, task.kind ?? before, Array.isArray(member) ? 'pairs' : undefined);
  }
}

/** `[["password", "x"]]`, `rawHeaders: ["X-Api-Key", "x"]`. */
function kindOfName(name: unknown, rules: StringRules): KeyKind {
  return typeof name === 'string' && name.length <= MAX_OPTION_CHARS ? rules.kindOf(name) : undefined;
}

/** Arguments and headers as lists: `["--password", "x"]`, `["Authorization", "Bearer x"]`. */
function kindAfter(previous: unknown, member: unknown, rules: StringRules): KeyKind {
  if (typeof previous !== 'string' || typeof member !== 'string') return undefined;
  const kind = previous.length <= MAX_OPTION_CHARS ? rules.kindOf(previous) : undefined;
  if (kind === 'authorization') return CREDENTIALS.test(member) ? kind : undefined;
  return SECRET_OPTION.test(previous) && !member.startsWith('--') ? kind : undefined;
}

const MAX_OPTION_CHARS = 100;

function redactMembers(
  members: Record<string, unknown>,
  { from, kind: kindAround, keyContext }: Task,
  rules: StringRules,
  copyOf: CopyOf,
): void {
  const names = Object.keys(members);
  const values = Object.values(members);
  const keys: Key[] = [];
  let named: string | undefined;
  let hasValue = false;
  let areUnchanged = true;
  for (let index = 0; index < names.length; index++) {
    const key = rules.key(names[index]!);
    keys.push(key);
    if (key.role === 'name') named ??= stringOf(values[index]);
    else if (key.role === 'value') hasValue = true;
    if (key.redacted !== names[index]) areUnchanged = false;
  }
  const isKey = typeof members.kty === 'string';
  const kindOfValue = named === undefined ? undefined : rules.kindOf(named);
  for (let index = 0; index < names.length; index++) {
    const { kind, role } = keys[index]!;
    const own = keyContext === 'names' && typeof values[index] === 'object' ? undefined : kind;
    const around = role === 'name' && hasValue ? undefined : kindAround;
    const secret =
      own ??
      around ??
      (isKey && isPrivateKeyMember(names[index]!) ? 'secret' : undefined) ??
      (role === 'value' ? kindOfValue : undefined);
    const copy = copyOf(values[index], secret, keyContextUnder(names[index]!, from));
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

/** Gives the members the keys that may be shown, in their order. */
function rename(members: Record<string, unknown>, names: readonly string[], keys: readonly Key[]): void {
  const values = names.map((name) => members[name]);
  for (const name of names) delete members[name];
  const usedNames = new Map<string, number>();
  for (let index = 0; index < names.length; index++)
    setMember(members, freeKey(keys[index]!.redacted, usedNames), values[index]);
}

/** Keys that redaction made equal are numbered, so that no member is lost. */
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
