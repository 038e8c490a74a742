import type { JsonObject } from '@mortise/plugin';
import { membersDifference } from './diff-json.js';
import { isWhole, type Pin, type PluginPins } from './plugin-pins.js';

/** The difference between a tool, resource, prompt or file and its pin. */
export interface Change {
  /** The label of the pin, as in {@link PluginPins}. */
  readonly label: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** The names of the members that differ: all members of something that was added, none of something removed. */
  readonly members: readonly string[];
  /** The differences as text, each with its JSON pointer into the definition. Redacted. */
  readonly lines: readonly string[];
}

/**
 * Returns the differences in the order of the labels; [] if all hashes are equal. If only tools are pinned, only tools
 * are compared.
 */
export function compareDefinitions(pinned: PluginPins, current: PluginPins): Change[] {
  const labels = [...new Set([...pinned.keys(), ...current.keys()])].sort();
  const changes: Change[] = [];
  for (const label of labels) {
    const [before, after] = [pinned.get(label), current.get(label)];
    if (before?.sha256 === after?.sha256 || (label.includes(' ') && !isWhole(pinned))) continue;
    changes.push(changeOf(label, before, after));
  }
  return changes;
}

function changeOf(label: string, before: Pin | undefined, after: Pin | undefined): Change {
  if (!after) return { label, kind: 'removed', members: [], lines: [] };
  const kind = before ? 'changed' : 'added';
  const difference = differenceOf(before?.definition ?? onlyName(after.definition), after.definition);
  return { label, kind, ...difference };
}

const onlyName = ({ name }: JsonObject): JsonObject => (name === undefined ? {} : { name });

function differenceOf(before: JsonObject, after: JsonObject): Pick<Change, 'members' | 'lines'> {
  const differences = membersDifference(before, after, '').filter(({ lines }) => lines.length > 0);
  return { members: differences.map(({ member }) => member), lines: differences.flatMap(({ lines }) => lines) };
}

const SIGNS: Readonly<Record<Change['kind'], string>> = { added: '+', removed: '-', changed: '~' };

/**
 * Describes changes for people: one line for each change, with its differences indented below. If there are more than
 * `maxLines` lines, one more line has the number of the omitted ones.
 */
export function describeChanges(changes: readonly Change[], maxLines = Number.POSITIVE_INFINITY): string[] {
  const lines = changes.flatMap((change) => [
    `${SIGNS[change.kind]} ${summarise(change)}`,
    ...change.lines.map((line) => `    ${line}`),
  ]);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more lines`];
}

/** Describes a change in one line: `weather.today (description, inputSchema)`, `weather.new (new)`. */
export function summarise({ label, kind, members }: Change): string {
  if (kind !== 'changed') return `${label.trim()} (${kind === 'added' ? 'new' : 'gone'})`;
  return `${label.trim()} (${members.join(', ') || 'only redacted values differ'})`;
}
