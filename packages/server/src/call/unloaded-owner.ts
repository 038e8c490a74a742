import type { PluginStatus } from '../core/plugin-status.js';

/** Names that clients see as one are one. */
export const spelled = (name: string): string => name.replace(/[^\w-]/g, '_').toLowerCase();

/** Names that a model or a host may take for one another are one. */
const folded = (name: string): string => spelled(name).replaceAll('-', '_');

/**
 * The plugin or mounted server that is not loaded and to which the name can belong (docs/spec/plugins.md#unloaded-names):
 * it had the name when it was last seen, or the name is its own name, alone or followed by `.` or `_`.
 * @param label as pins name it: a tool by its name, all else by `prompt x` or `resource x`
 * @param labelsOf what a plugin had when it was last seen, by its path
 */
export function unloadedOwner(
  label: string,
  plugins: readonly PluginStatus[],
  labelsOf: (path: string) => readonly string[],
): PluginStatus | undefined {
  const unloaded = plugins.filter(({ state }) => state === 'failed' || state === 'loading');
  if (unloaded.length === 0) return undefined;
  if (label.startsWith('resource ')) return unloaded.find(({ path }) => labelsOf(path).includes(label));
  const wanted = folded(label);
  const known = unloaded.find(({ path }) => labelsOf(path).some((one) => folded(one) === wanted));
  if (known) return known;
  const name = folded(label.replace(/^prompt /, ''));
  const named = unloaded.filter((plugin) => `${name}_`.startsWith(`${folded(plugin.name)}_`));
  return named.sort((a, b) => b.name.length - a.name.length)[0];
}
