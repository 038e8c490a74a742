import { AsyncLocalStorage } from 'node:async_hooks';
import { isJsonObject } from '../json.js';
import type { OnceResults } from './outcome.js';
import { toResultValue } from './to-json-value.js';

/** The maximum size of the results of one call as JSON, in characters, because the client carries them from round to round. */
export const MAX_ONCE_CHARS = 65_536;

/** The key of the effect that is running. */
const running = new AsyncLocalStorage<string>();

/** @throws TypeError inside an effect of `context.once`: the question would end the call in the middle of it */
export function refuseInsideEffect(): void {
  const key = running.getStore();
  if (key !== undefined)
    throw new TypeError(`The effect of once('${key}') asked the client: ask before or after it, not inside.`);
}

/** Whether it is what {@link OnceEffects.settled} gives, within its limit. */
export function isOnceResults(value: unknown): value is OnceResults {
  const isResult = (result: unknown) => isJsonObject(result) && Object.keys(result).every((name) => name === 'value');
  return isJsonObject(value) && Object.values(value).every(isResult) && sizeOf(value as OnceResults) <= MAX_ONCE_CHARS;
}

const sizeOf = (results: OnceResults): number => JSON.stringify(results).length;

/** The effects of one call, each of which runs once in all of its rounds (docs/spec/plugin-questions.md#once). */
export class OnceEffects {
  readonly #earlier: OnceResults;
  readonly #results = new Map<string, { value?: unknown }>();
  readonly #pending = new Map<string, Promise<unknown>>();

  /** @param earlier the results of the rounds before */
  constructor(earlier: OnceResults = {}) {
    this.#earlier = earlier;
  }

  /** Bound, so that it may be taken out of the context. */
  readonly run = <T>(key: string, effect: () => T | Promise<T>): Promise<T> => {
    const result = this.#run(key, effect) as Promise<T>;
    // A result that is not awaited must not end the process when it is rejected.
    result.catch(() => {});
    return result;
  };

  /** The results by key, once no effect is running: one that was cut off would happen again. */
  async settled(): Promise<OnceResults> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending.values());
    return this.#all();
  }

  async #run(key: string, effect: () => unknown): Promise<unknown> {
    if (typeof key !== 'string' || key === '') throw new TypeError('once expects a key and a function.');
    if (this.#results.has(key) || this.#pending.has(key))
      throw new TypeError(`Another effect of this call has the key '${key}': give each effect a key of its own.`);
    if (Object.hasOwn(this.#earlier, key)) {
      const { value } = this.#earlier[key]!;
      this.#results.set(key, { value });
      return structuredClone(value);
    }
    const happening = this.#happen(key, effect);
    this.#pending.set(key, happening);
    try {
      return await happening;
    } finally {
      this.#pending.delete(key);
    }
  }

  async #happen(key: string, effect: () => unknown): Promise<unknown> {
    const value = toResultValue(await running.run(key, async () => effect()));
    const result = value === undefined ? {} : { value };
    const size = sizeOf({ ...this.#all(), [key]: result });
    if (size > MAX_ONCE_CHARS) {
      throw new RangeError(
        `The results of once have ${size} characters as JSON with that of '${key}'; ${MAX_ONCE_CHARS} are allowed in a call. ` +
          'Return an id or a path in place of the data.',
      );
    }
    this.#results.set(key, result);
    return structuredClone(value);
  }

  #all(): OnceResults {
    return Object.fromEntries([...Object.entries(this.#earlier), ...this.#results]) as OnceResults;
  }
}
