import type { Snapshot } from './snapshot.js';

/** A list that has a `list_changed` notification in MCP. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

interface Item {
  readonly wireName?: string;
  readonly definition: object;
}

const ITEMS_OF: Record<ChangedList, (snapshot: Snapshot) => readonly Item[]> = {
  tools: ({ tools }) => tools,
  resources: ({ resources, templates }) => [...resources, ...templates],
  prompts: ({ prompts }) => prompts,
};

export const LISTS = Object.keys(ITEMS_OF) as readonly ChangedList[];

/** Returns the lists that differ between two snapshots or two views. */
export function changedLists(before: Snapshot, after: Snapshot): ChangedList[] {
  return LISTS.filter((list) => !isSameList(ITEMS_OF[list](before), ITEMS_OF[list](after)));
}

function isSameList(before: readonly Item[], after: readonly Item[]): boolean {
  return before.length === after.length && before.every((item, index) => isSameItem(item, after[index]!));
}

/** Compares definitions as JSON text, so members in another order count as a change. */
function isSameItem(before: Item, after: Item): boolean {
  if (before.wireName !== after.wireName) return false;
  return (
    before.definition === after.definition || JSON.stringify(before.definition) === JSON.stringify(after.definition)
  );
}
