/**
 * The value at `key` as text, or null: keys are case-insensitive, `A:B` walks into objects, numbers and booleans are
 * given as their text; objects, arrays and missing keys are null.
 */
export function configValue(config: unknown, key: string): string | null {
  const value = find(config, String(key));
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function find(config: unknown, path: string): unknown {
  const whole = member(config, path);
  if (whole !== undefined) return whole;
  for (let end = path.indexOf(':'); end !== -1; end = path.indexOf(':', end + 1)) {
    const found = find(member(config, path.slice(0, end)), path.slice(end + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The own member of that name; where two names differ in case alone, the exact one. */
function member(config: unknown, name: string): unknown {
  if (typeof config !== 'object' || config === null) return undefined;
  const own = config as Record<string, unknown>;
  if (Object.hasOwn(own, name)) return own[name];
  const lower = name.toLowerCase();
  const key = Object.keys(own).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? undefined : own[key];
}
