import type { JsonObject } from '@mortise/plugin';
import { membersDifference } from './diff-json.js';
import { isWhole, type PluginPins, type ToolPin } from './plugin-pins.js';

/** How one tool, resource, prompt, or the file differs from what is pinned; `tool` is its label there. */
export interface Change {
  readonly tool: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** The members of the definition that differ; of an added tool all that it has, of a removed one none. */
  readonly members: readonly string[];
  /** What differs, each with its JSON pointer into the definition, redacted. */
  readonly lines: readonly string[];
}

/**
 * What differs, in the order of the names; [] exactly when both have the same with the same hashes. Where tools alone are
 * pinned, they alone are compared.
 */
export function compareDefinitions(pinned: PluginPins, current: PluginPins): Change[] {
  const names = [...new Set([...pinned.keys(), ...current.keys()])].sort();
  const changes: Change[] = [];
  for (const tool of names) {
    const [before, after] = [pinned.get(tool), current.get(tool)];
    if (before?.sha256 === after?.sha256 || (tool.includes(' ') && !isWhole(pinned))) continue;
    changes.push(changeOf(tool, before, after));
  }
  return changes;
}

function changeOf(tool: string, before: ToolPin | undefined, after: ToolPin | undefined): Change {
  if (!after) return { tool, kind: 'removed', members: [], lines: [] };
  const kind = before ? 'changed' : 'added';
  return { tool, kind, ...differenceOf(before?.definition ?? namedLike(after.definition), after.definition) };
}

const namedLike = ({ name }: JsonObject): JsonObject => (name === undefined ? {} : { name });

function differenceOf(before: JsonObject, after: JsonObject): Pick<Change, 'members' | 'lines'> {
  const differences = membersDifference(before, after, '').filter(({ lines }) => lines.length > 0);
  return { members: differences.map(({ member }) => member), lines: differences.flatMap(({ lines }) => lines) };
}

const SIGNS: Readonly<Record<Change['kind'], string>> = { added: '+', removed: '-', changed: '~' };

/** A difference as people read it: a line for each tool, below it what differs. At most `maxLines` lines. */
export function describeChanges(changes: readonly Change[], maxLines = Number.POSITIVE_INFINITY): string[] {
  const lines = changes.flatMap((change) => [
    `${SIGNS[change.kind]} ${summarise(change)}`,
    ...change.lines.map((line) => `    ${line}`),
  ]);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more lines`];
}

/** `weather.today (description, inputSchema)`, `weather.new (new)`. */
export function summarise({ tool, kind, members }: Change): string {
  if (kind !== 'changed') return `${tool.trim()} (${kind === 'added' ? 'new' : 'gone'})`;
  return `${tool.trim()} (${members.join(', ') || 'only redacted values differ'})`;
}
