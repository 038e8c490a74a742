/**
 * Values by an id, for what comes and goes with each call. V8's Map and Set link every table that they outgrow, or clean
 * up, to the next one: once such a table is in the old generation, all that follow live, with what stood in them, until a
 * full collection. At thousands of calls a second that is most of what the collector does. A plain object has no such chain.
 */
export class IdMap<V> {
  readonly #values: Record<string | number, V> = Object.create(null);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string | number): boolean {
    return keyOf(id) in this.#values;
  }

  get(id: string | number): V | undefined {
    return this.#values[keyOf(id)];
  }

  /** Takes the place of what had the id. */
  set(id: string | number, value: V): void {
    const key = keyOf(id);
    if (!(key in this.#values)) this.#size += 1;
    this.#values[key] = value;
  }

  /** Whether there was one. */
  delete(id: string | number): boolean {
    const key = keyOf(id);
    if (!(key in this.#values)) return false;
    delete this.#values[key];
    this.#size -= 1;
    return true;
  }

  /** As they are now, in no order. */
  values(): V[] {
    return Object.values(this.#values);
  }
}

/** `1` and `"1"` are different ids. */
function keyOf(id: string | number): string | number {
  return typeof id === 'number' ? id : `"${id}`;
}
