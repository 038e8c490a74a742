import { AsyncLocalStorage } from 'node:async_hooks';
import { isJsonObject } from '../json.js';
import type { OnceResults } from './outcome.js';
import { toResultValue } from './to-json-value.js';

/** The maximum size of the results of one call as JSON, in characters. The client carries them from round to round. */
export const MAX_ONCE_CHARS = 65_536;

/** The key of the effect that is running. */
const running = new AsyncLocalStorage<string>();

/**
 * @throws TypeError inside an effect of `context.once`, because the question would end the call in the middle of the
 * effect
 */
export function refuseInsideEffect(): void {
  const key = running.getStore();
  if (key !== undefined)
    throw new TypeError(
      `The effect of once('${key}') asked the client. Ask before or after the effect, not inside it.`,
    );
}

/** True for results of {@link OnceEffects.settled} within the size limit. */
export function isOnceResults(value: unknown): value is OnceResults {
  const isResult = (result: unknown) => isJsonObject(result) && Object.keys(result).every((name) => name === 'value');
  return isJsonObject(value) && Object.values(value).every(isResult) && sizeOf(value as OnceResults) <= MAX_ONCE_CHARS;
}

const sizeOf = (results: OnceResults): number => JSON.stringify(results).length;

/** Runs the effects of one call, each once in all rounds of the call (docs/spec/plugin-questions.md#once). */
export class OnceEffects {
  readonly #earlier: OnceResults;
  readonly #results = new Map<string, { value?: unknown }>();
  readonly #pending = new Map<string, Promise<unknown>>();

  constructor(earlier: OnceResults = {}) {
    this.#earlier = earlier;
  }

  /** A bound function, so that authors can take it out of the context. */
  readonly run = <T>(key: string, effect: () => T | Promise<T>): Promise<T> => {
    const result = this.#run(key, effect) as Promise<T>;
    // A promise that is not awaited must not end the process when it rejects.
    result.catch(() => {});
    return result;
  };

  /** The results by key. Waits for running effects, because an interrupted one would run again. */
  async settled(): Promise<OnceResults> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending.values());
    return this.#all();
  }

  async #run(key: string, effect: () => unknown): Promise<unknown> {
    if (typeof key !== 'string' || key === '')
      throw new TypeError('The key of once() must be a text that is not empty.');
    if (this.#results.has(key) || this.#pending.has(key))
      throw new TypeError(`Another effect of this call has the key '${key}'. Give each effect its own key.`);
    if (Object.hasOwn(this.#earlier, key)) {
      const { value } = this.#earlier[key]!;
      this.#results.set(key, { value });
      return structuredClone(value);
    }
    const pending = this.#perform(key, effect);
    this.#pending.set(key, pending);
    try {
      return await pending;
    } finally {
      this.#pending.delete(key);
    }
  }

  async #perform(key: string, effect: () => unknown): Promise<unknown> {
    const value = toResultValue(await running.run(key, async () => effect()));
    const result = value === undefined ? {} : { value };
    const size = sizeOf({ ...this.#all(), [key]: result });
    if (size > MAX_ONCE_CHARS) {
      throw new RangeError(
        `With '${key}' the results of once have ${size} characters as JSON; at most ${MAX_ONCE_CHARS} are allowed in a call. ` +
          'Return an id or a path instead of the data.',
      );
    }
    this.#results.set(key, result);
    return structuredClone(value);
  }

  #all(): OnceResults {
    return Object.fromEntries([...Object.entries(this.#earlier), ...this.#results]) as OnceResults;
  }
}
