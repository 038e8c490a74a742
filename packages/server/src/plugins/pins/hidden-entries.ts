import { hiddenTextIn, type PluginProblem } from '@mortise/plugin/runtime';
import { describeChanges } from './compare.js';
import { type ChangedDefinition, changesData, MAX_LINES } from './definition-changed-problem.js';
import { FILE_LABEL, hashOf, type Pinnable, type PluginPins } from './plugin-pins.js';

/** A tool, resource or prompt, or the instructions of a plugin, with hidden text that is not accepted. */
export interface HiddenEntry {
  readonly label: string;
  /** The hidden text and its place: `the hidden character U+200B at /description`. */
  readonly found: readonly string[];
}

/**
 * Returns the entries with hidden text that are not pinned. Another version of a pinned entry is a change of the
 * definition, which is refused as a whole. The instructions are pinned with the file.
 */
export function hiddenEntries(pinnables: readonly Pinnable[], pinned: PluginPins | undefined): HiddenEntry[] {
  return pinnables.flatMap(({ label, members }) => {
    const pin = pinned?.get(label);
    const { instructions } = members;
    const isAccepted = label === FILE_LABEL ? pin?.sha256 === hashOf(members) : pin !== undefined;
    const found = isAccepted ? [] : hiddenTextIn(label === FILE_LABEL ? { instructions } : members);
    return found.length === 0 ? [] : [{ label, found }];
  });
}

/** Removes the hidden entries; of the file, only the instructions. */
export function withoutHidden(pinnables: readonly Pinnable[], hidden: readonly HiddenEntry[]): readonly Pinnable[] {
  if (hidden.length === 0) return pinnables;
  const labels = new Set(hidden.map(({ label }) => label));
  return pinnables.flatMap((pinnable) => {
    if (!labels.has(pinnable.label)) return [pinnable];
    const { instructions: _, ...members } = pinnable.members;
    return pinnable.label === FILE_LABEL ? [{ label: FILE_LABEL, members }] : [];
  });
}

/**
 * The problem HIDDEN_TEXT_REFUSED of one entry. It shows the entry with its hidden characters made visible.
 * @param definition the difference that the hidden entries make
 */
export function hiddenTextRefused(
  { label, found }: HiddenEntry,
  definition: ChangedDefinition,
  { file, command }: { readonly file: string; readonly command: string },
): PluginProblem {
  const entryName = label.includes(' ') ? label : `tool '${label}'`;
  const subjectAndVerb = label === FILE_LABEL ? 'instructions are' : `${entryName} is`;
  const changes = definition.changes.filter((change) => change.label === label);
  const lines = describeChanges(changes, MAX_LINES).map((line) => `  ${line}`);
  const reason = 'because Plugins.OnChange is refuse and there is hidden text';
  return {
    severity: 'error',
    code: 'HIDDEN_TEXT_REFUSED',
    message: [`The ${subjectAndVerb} left out, ${reason}: ${found.join(', ')}`, ...lines].join('\n'),
    hint: `Remove the hidden text, or accept it as it is: \`${command}\`.`,
    location: { file, subject: label === FILE_LABEL ? 'instructions' : label },
    data: changesData({ ...definition, changes }),
  };
}
