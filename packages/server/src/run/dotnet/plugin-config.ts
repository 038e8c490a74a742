import type { PluginProblem, PluginSettings } from '@mortise/plugin/runtime';

/**
 * Returns the settings of a plugin in the form that C# plugins receive: flat, with keys such as `A:B` for members of
 * objects, all values as text, and booleans as `True` and `False` (docs/spec/csharp-plugins.md#csharp-arguments). If
 * keys differ only in case, the first one is used, and a literal key takes precedence over a path.
 */
export function flatConfig(config: object): Record<string, string> {
  const entries = [...leaves(config)].sort(([, , a], [, , b]) => a - b);
  const keys = new Set<string>();
  return Object.fromEntries(
    entries.flatMap(([key, text]) => {
      const name = key.toLowerCase();
      if (keys.has(name)) return [];
      keys.add(name);
      return [[key, text] as const];
    }),
  );
}

/** The problem of a plugin whose settings have a reference that cannot be fetched, if there is one. */
export function settingsProblem(
  { unavailable, places, file }: PluginSettings,
  plugin: string,
): PluginProblem | undefined {
  const [first] = unavailable;
  if (first === undefined) return undefined;
  const { line, column, file: from = file ?? plugin } = places[first.pointer.toLowerCase()] ?? {};
  return {
    severity: 'error',
    code: 'SETTING_UNAVAILABLE',
    message: first.message,
    hint: first.hint,
    location: { file: from, ...(line !== undefined && { line }), ...(column !== undefined && { column }) },
  };
}

/** Yields the key, text and depth of each value. */
function* leaves(value: object, path = '', depth = 0): Generator<[string, string, number]> {
  for (const [name, inner] of Object.entries(value)) {
    const key = path + name;
    if (typeof inner === 'object' && inner !== null) yield* leaves(inner, `${key}:`, depth + 1);
    else if (inner !== null && inner !== undefined) yield [key, textOf(inner), depth];
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}
