/**
 * The object's own member of this name, or undefined.
 * Use this for names that a plugin, a client or a file chooses, because `object[name]` also finds inherited members
 * such as `constructor`.
 */
export function ownMember<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
