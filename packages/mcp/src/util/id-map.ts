const MAX_SLOTS = 1024;

/**
 * Values by id, for entries that are added and removed with each call.
 *
 * A Map is slower, because V8 links each table that a Map outgrows or cleans up to the next one. Once one of them is in
 * the old generation, all later tables and their entries stay alive until a full collection. With a Map, a call would
 * cost the server 1.4 to 1.7 times the processor time (plugin process, stdio, 64 in flight).
 *
 * A number is stored in the slot that its last bits name. Consecutive ids never collide unless the map holds more of them
 * than it can have slots. A number whose slot is taken, and an id that is a string, is stored in a plain object.
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

  /** Sets the value of the id, and replaces an earlier one. */
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

  /** @returns whether the id had a value */
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

  /** A copy of the values, in no particular order. */
  values(): V[] {
    const inSlots = this.#values.filter((_, slot) => this.#numbers[slot] !== undefined) as V[];
    return this.#others === undefined ? inSlots : [...inSlots, ...Object.values(this.#others)];
  }

  /** The slot that holds the id, or −1. */
  #slotOf(id: string | number): number {
    if (typeof id !== 'number') return -1;
    const slot = id & (this.#numbers.length - 1);
    return this.#numbers[slot] === id ? slot : -1;
  }

  /** The slot that holds the number or can take it, or −1. */
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

  /** Doubles the number of slots. Two numbers in different slots stay in different slots. */
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
