/** Marks frozen data. A registered symbol, so that several copies of this package and the server agree. */
const IMMUTABLE: unique symbol = Symbol.for('mortise.immutable');

/**
 * A deeply frozen copy of JSON data, for results that are always the same. If a tool that runs in the server returns it
 * as a member of its data, the server processes and redacts it only once.
 */
export function immutable<T extends object>(data: T): T {
  const copy = JSON.parse(JSON.stringify(data)) as T;
  Object.defineProperty(copy, IMMUTABLE, { value: true });
  return frozen(copy);
}

/** True if {@link immutable} created the value, in any copy of this package. */
export function isImmutable(value: object): boolean {
  return (value as { [IMMUTABLE]?: unknown })[IMMUTABLE] === true && Object.isFrozen(value);
}

function frozen<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) frozen(member);
  return Object.freeze(value);
}
