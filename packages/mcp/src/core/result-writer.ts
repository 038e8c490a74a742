import { META_KEYS } from '../protocol/meta-keys.js';
import type { Implementation, Result } from '../protocol/types.js';
import type { Generation } from '../protocol/versions.js';

/** Tells a client how long it may keep a result (2026-07-28). */
export interface CacheHint {
  readonly ttlMs: number;
  /** `private`: a shared cache must not give it to another client. */
  readonly cacheScope: 'public' | 'private';
}

/**
 * A result that many requests share. Its JSON is written once for each generation. The result has neither `_meta` nor
 * `resultType`.
 */
export class PreparedResult<R extends object = Result> {
  readonly #json: string;
  readonly #jsonOf: Partial<Record<Generation, string>> = {};
  /** Exists only for the type checker: the type of the result. */
  declare readonly result: R;

  /** @param json an object */
  constructor(json: string) {
    this.#json = json;
  }

  /** @throws RangeError if the result is nested too deeply */
  static of<R extends object>(result: R): PreparedResult<R> {
    return new PreparedResult(JSON.stringify(result));
  }

  /** @param wrap adds to the JSON what the generation requires; called once for each generation */
  json(generation: Generation, wrap: (json: string) => string): string {
    const json = this.#jsonOf[generation] ?? wrap(this.#json);
    this.#jsonOf[generation] = json;
    return json;
  }
}

/**
 * Writes the JSON of a result that is only one text block, as most results are, in a fifth of the time that
 * JSON.stringify needs. Returns undefined for any other result.
 */
function plainTextJson(result: Result): string | undefined {
  const { content } = result as { content?: unknown };
  if (!Array.isArray(content) || content.length !== 1 || !hasMembers(result, 1)) return undefined;
  const { type, text } = (content[0] ?? {}) as { type?: unknown; text?: unknown };
  if (type !== 'text' || typeof text !== 'string' || !hasMembers(content[0], 2)) return undefined;
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

function hasMembers(value: object, count: number): boolean {
  let seen = 0;
  for (const _ in value) seen += 1;
  return seen === count;
}

/** Writes results as each generation requires them. */
export class ResultWriter {
  readonly #serverInfo: Implementation;
  /** The first members of a result of 2026-07-28. */
  readonly #prefix: string;

  /** @param serverInfo is in the `_meta` of every result of 2026-07-28 */
  constructor(serverInfo: Implementation) {
    this.#serverInfo = serverInfo;
    this.#prefix = `{"resultType":"complete","_meta":${JSON.stringify({ [META_KEYS.serverInfo]: serverInfo })}`;
  }

  /** @throws RangeError if the result is nested too deeply; TypeError if JSON cannot hold it */
  json(result: Result | PreparedResult, generation: Generation, cacheHint: CacheHint | undefined): string {
    if (!(result instanceof PreparedResult)) return this.#write(result, generation, cacheHint);
    return result.json(generation, (json) => this.#wrap(json, generation, cacheHint));
  }

  #write(result: Result, generation: Generation, cacheHint: CacheHint | undefined): string {
    const plainText = plainTextJson(result);
    if (generation === 'session') return plainText ?? JSON.stringify(result);
    if (result._meta !== undefined || result.resultType !== undefined || cacheHint !== undefined) {
      const _meta = { ...result._meta, [META_KEYS.serverInfo]: this.#serverInfo };
      const hint = result.resultType === undefined ? cacheHint : undefined;
      return JSON.stringify({ resultType: 'complete', ...hint, ...result, _meta });
    }
    return this.#wrap(plainText ?? JSON.stringify(result), generation, undefined);
  }

  /** @param json of a result without `_meta` and `resultType` */
  #wrap(json: string, generation: Generation, cacheHint: CacheHint | undefined): string {
    if (generation === 'session') return json;
    const prefix = cacheHint ? `${this.#prefix},${JSON.stringify(cacheHint).slice(1, -1)}` : this.#prefix;
    return json === '{}' ? `${prefix}}` : `${prefix},${json.slice(1)}`;
  }
}
