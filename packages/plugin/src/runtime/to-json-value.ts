import { isImmutable } from '../immutable.js';
import { type JsonObject, type JsonValue, setMember } from '../json.js';
import { lostValue } from './lost-value.js';

/** The maximum nesting of a tool's return value. */
export const MAX_DEPTH = 1_000;
const MAX_VALUES = 1_000_000;

/** Thrown for a value that JSON cannot represent; the message names the value and its location. */
export class NotSerializableError extends Error {}

/**
 * Copies a value as JSON.stringify and JSON.parse would: toJSON, boxed values, undefined, functions, NaN and holes are
 * treated in the same way. Own members named `__proto__` are kept. undefined if JSON cannot express the value. Members
 * that `immutable()` made are not copied, so do not change them.
 * @throws NotSerializableError for BigInt, cycles, more than 1,000 levels or 1,000,000 values; errors of getters and
 * toJSON
 */
export function toJsonValue(value: unknown): JsonValue | undefined {
  return isScalar(value) ? value : new Copier('as JSON').copy(value, '');
}

/**
 * Copies a tool's data as {@link toJsonValue} does. Members that are undefined are omitted; any other value that JSON
 * would lose is refused (docs/spec/plugin-results.md#lost-values).
 * @param at the name of the result's member that contains the value; the path in an error begins with it
 * @throws NotSerializableError also for a lost value, with its path and advice
 */
export function toResultValue(value: unknown, at?: string): JsonValue | undefined {
  return isScalar(value) ? value : new Copier('complete', at).copy(value, '');
}

/**
 * Copies the part of a value that JSON can express. A BigInt becomes its digits, and a circular reference `[Circular]`.
 * @throws NotSerializableError for more than 1,000 levels or 1,000,000 values; errors of getters and toJSON
 */
export function toPartialJsonValue(value: unknown): JsonValue | undefined {
  return new Copier('partial').copy(value, '');
}

/**
 * True if objects and arrays of a JSON value are nested deeper than `levels`. It recurses: use a few thousand at most.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeeper((value as JsonObject)[key], levels - 1)) return true;
  return false;
}

function isScalar(value: unknown): value is string | boolean | null {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

/** The treatment of values that JSON cannot express. */
type CopyMode = 'as JSON' | 'complete' | 'partial';

class Copier {
  readonly #mode: CopyMode;
  readonly #root: readonly string[];
  readonly #keys: string[] = [];
  readonly #ancestors: object[] = [];
  #values = 0;

  constructor(mode: CopyMode, root?: string) {
    this.#mode = mode;
    this.#root = root === undefined ? [] : [root];
  }

  copy(input: unknown, key: string): JsonValue | undefined {
    if (++this.#values > MAX_VALUES) throw new NotSerializableError(`it contains more than ${MAX_VALUES} values`);
    const value = unboxed(input, key);
    if (isScalar(value)) return value;
    if (this.#mode === 'complete') this.#refuseLost(value, key);
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
    if (typeof value === 'bigint' && this.#mode === 'partial') return String(value);
    if (typeof value === 'bigint') throw new NotSerializableError(`a BigInt${this.#where(key)}`);
    if (typeof value !== 'object') return undefined;
    if (this.#mode === 'partial' && this.#ancestors.includes(value as object)) return '[Circular]';
    return this.#enter(value as object, key);
  }

  #refuseLost(value: unknown, key: string): void {
    const lost = lostValue(value);
    if (lost !== undefined) throw new NotSerializableError(`${lost.what}${this.#where(key)}; ${lost.advice}`);
  }

  #enter(value: object, key: string): JsonValue {
    if (this.#ancestors.length > 0 && isImmutable(value)) return value as JsonValue;
    if (this.#ancestors.length >= MAX_DEPTH) throw this.#tooDeep();
    this.#keys.push(key);
    this.#ancestors.push(value);
    const copy = Array.isArray(value) ? this.#array(value) : this.#object(value as Record<string, unknown>);
    this.#keys.pop();
    this.#ancestors.pop();
    return copy;
  }

  #array(value: unknown[]): JsonValue[] {
    const copy: JsonValue[] = [];
    for (let i = 0; i < value.length; i++) copy.push(this.copy(value[i], String(i)) ?? null);
    return copy;
  }

  #object(value: Record<string, unknown>): JsonObject {
    const copy: JsonObject = {};
    for (const key of Object.keys(value)) {
      const member = this.copy(value[key], key);
      if (member !== undefined) setMember(copy, key, member);
    }
    return copy;
  }

  /** Names the place of the circular reference, if there is one. */
  #tooDeep(): NotSerializableError {
    const seen = new Set<object>();
    const again = this.#ancestors.findIndex((ancestor) => seen.size === seen.add(ancestor).size);
    return again === -1
      ? new NotSerializableError(`it is nested deeper than ${MAX_DEPTH} levels`)
      : new NotSerializableError(`a circular reference${pathText([...this.#root, ...this.#keys.slice(1, again + 1)])}`);
  }

  #where(key: string): string {
    return pathText([...this.#root, ...this.#keys.slice(1), ...(this.#keys.length > 0 ? [key] : [])]);
  }
}

const MAX_PATH_CHARS = 100;

function pathText(keys: string[]): string {
  const path = keys.join('.');
  if (path === '') return '';
  return path.length <= MAX_PATH_CHARS ? ` at '${path}'` : ` at a place ${keys.length} levels deep`;
}

function unboxed(input: unknown, key: string): unknown {
  let value = input;
  if ((typeof value === 'object' && value !== null) || typeof value === 'bigint') {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') value = toJSON.call(value, key);
  }
  if (value instanceof Number) return Number(value);
  if (value instanceof String) return String(value);
  if (value instanceof Boolean || value instanceof BigInt) return value.valueOf();
  return value;
}
