/**
 * The object's own member of this name, or undefined.
 * For names that a plugin, a client or a file chooses: `object[name]` also finds what every object inherits, such as `constructor`.
 */
export function ownMember<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
