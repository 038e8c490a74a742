import type { PluginProblem } from '@mortise/plugin/runtime';
import { type Change, describeChanges } from './compare.js';
import type { PinnedPlugin } from './plugin-key.js';
import type { PluginPins } from './plugin-pins.js';

/** Lines of the difference in the message. `data.changes` has the whole difference. */
export const MAX_LINES = 40;

const KIND_WORDS: readonly (readonly [Change['kind'], string])[] = [
  ['changed', 'changed'],
  ['added', 'new'],
  ['removed', 'gone'],
];

export interface ChangedDefinition {
  readonly pinned: PluginPins;
  readonly current: PluginPins;
  readonly changes: readonly Change[];
  /** The hash of everything that the plugin provides now. Accept needs it. */
  readonly sha256: string;
}

/** The problem PLUGIN_DEFINITION_CHANGED, with the difference. @param pinFile the location if the plugin has no file */
export function changedProblem(
  { name, path }: PinnedPlugin,
  { pinned, current, changes, sha256 }: ChangedDefinition,
  pinFile: string,
): PluginProblem {
  const counts = KIND_WORDS.map(
    ([kind, word]) => [changes.filter((change) => change.kind === kind).length, word] as const,
  );
  const summary = counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
  const subject = changes.some(({ label }) => !label.includes(' ')) ? 'Its tools are' : 'Its definition is';
  const lines = describeChanges(changes, MAX_LINES).map((line) => `  ${line}`);
  return {
    severity: 'warning',
    code: 'PLUGIN_DEFINITION_CHANGED',
    message: [`${subject} not what was pinned: ${summary}`, ...lines].join('\n'),
    hint: `If this is what you expect, accept it: \`mortise trust ${quoted(name)}\`, with the --config of this server.`,
    location: { file: path ?? pinFile },
    data: changesData({ pinned, current, changes, sha256 }),
  };
}

/** The data of a problem from which the page shows the difference and accepts it. */
export const changesData = ({ pinned, current, changes, sha256 }: ChangedDefinition) => ({
  sha256,
  changes: changes.map(({ label, kind, members, lines }) => {
    const [before, after] = [pinned.get(label)?.definition, current.get(label)?.definition];
    const sides = { ...(before && { before }), ...(after && { after }) };
    return { label, kind, members: [...members], lines: [...lines], ...sides };
  }),
});

/** Quotes a plugin's name for a shell, if it has other characters than letters, digits, `_`, `.` and `-`. */
export const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name));
