/** Returns the value that `JSON.stringify` would write: the result of `toJSON`, or the useful members of an error. */
export function toJsonInput(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  if (value instanceof Error) return { ...value, name: value.name, message: value.message, stack: value.stack };
  return value;
}

/** Sets an own member. Unlike an assignment, it also works for the name `__proto__`. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
