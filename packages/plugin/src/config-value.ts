/**
 * The value at `key` as a string, or null. Keys are case-insensitive, and `A:B` is the member B of the object A.
 * Numbers and booleans are converted to strings; objects, arrays and missing keys are null.
 */
export function configValue(config: unknown, key: string): string | null {
  const value = find(config, String(key));
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function find(config: unknown, path: string): unknown {
  const direct = member(config, path);
  if (direct !== undefined) return direct;
  for (let end = path.indexOf(':'); end !== -1; end = path.indexOf(':', end + 1)) {
    const found = find(member(config, path.slice(0, end)), path.slice(end + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The own member with this name. If two names differ only in case, the exact one is taken. */
function member(config: unknown, name: string): unknown {
  if (typeof config !== 'object' || config === null) return undefined;
  const own = config as Record<string, unknown>;
  if (Object.hasOwn(own, name)) return own[name];
  const lower = name.toLowerCase();
  const key = Object.keys(own).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? undefined : own[key];
}
