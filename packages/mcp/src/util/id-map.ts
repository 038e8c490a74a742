/** The most slots for numbers; each takes a number with the same last bits. */
const MAX_SLOTS = 1024;

/**
 * Values by an id, for what comes and goes with each call. V8's Map and Set link every table that they outgrow, or clean
 * up, to the next one: once such a table is in the old generation, all that follow live, with what stood in them, until a
 * full collection. At thousands of calls a second that is most of what the collector does: with Map in its place a call
 * costs the server 1.4 to 1.7 times the processor time (a plugin process, over stdio, with 64 in flight).
 *
 * Here a number is in the slot that its last bits name. Ids that are counted up never meet there unless more of them
 * are in the table than it can have slots. What finds its slot taken, and what is not a number, is in a plain object.
 */
export class IdMap<V> {
  #numbers: (number | undefined)[] = [undefined];
  #values: (V | undefined)[] = [undefined];
  #others: Record<string | number, V> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string | number): boolean {
    return this.#slotOf(id) >= 0 || (this.#others !== undefined && keyOf(id) in this.#others);
  }

  get(id: string | number): V | undefined {
    const slot = this.#slotOf(id);
    return slot >= 0 ? this.#values[slot] : this.#others?.[keyOf(id)];
  }

  /** Takes the place of what had the id. */
  set(id: string | number, value: V): void {
    const slot = this.#others !== undefined && keyOf(id) in this.#others ? -1 : this.#freeSlotFor(id);
    if (slot >= 0) {
      if (this.#numbers[slot] === undefined) this.#size += 1;
      this.#numbers[slot] = id as number;
      this.#values[slot] = value;
      return;
    }
    const key = keyOf(id);
    this.#others ??= Object.create(null) as Record<string | number, V>;
    if (!(key in this.#others)) this.#size += 1;
    this.#others[key] = value;
  }

  /** Whether there was one. */
  delete(id: string | number): boolean {
    const slot = this.#slotOf(id);
    if (slot >= 0) {
      this.#numbers[slot] = undefined;
      this.#values[slot] = undefined;
    } else {
      const key = keyOf(id);
      if (this.#others === undefined || !(key in this.#others)) return false;
      delete this.#others[key];
    }
    this.#size -= 1;
    return true;
  }

  /** As they are now, in an order that means nothing. */
  values(): V[] {
    const inSlots = this.#values.filter((_, slot) => this.#numbers[slot] !== undefined) as V[];
    return this.#others === undefined ? inSlots : [...inSlots, ...Object.values(this.#others)];
  }

  /** −1 if it is in no slot. */
  #slotOf(id: string | number): number {
    if (typeof id !== 'number') return -1;
    const slot = id & (this.#numbers.length - 1);
    return this.#numbers[slot] === id ? slot : -1;
  }

  /** The slot that the number has or can take; −1 if there is none. */
  #freeSlotFor(id: string | number): number {
    if (typeof id !== 'number') return -1;
    for (;;) {
      const slot: number = id & (this.#numbers.length - 1);
      const owner: number | undefined = this.#numbers[slot];
      if (owner === undefined || owner === id) return slot;
      if (this.#numbers.length === MAX_SLOTS) return -1;
      this.#grow();
    }
  }

  /** Twice as many slots: two numbers that had different ones still have. */
  #grow(): void {
    const numbers = this.#numbers;
    const values = this.#values;
    const slots = numbers.length * 2;
    this.#numbers = new Array(slots).fill(undefined);
    this.#values = new Array(slots).fill(undefined);
    numbers.forEach((id, slot) => {
      if (id === undefined) return;
      this.#numbers[id & (slots - 1)] = id;
      this.#values[id & (slots - 1)] = values[slot];
    });
  }
}

/** `1` and `"1"` are different ids. */
function keyOf(id: string | number): string | number {
  return typeof id === 'number' ? id : `"${id}`;
}
