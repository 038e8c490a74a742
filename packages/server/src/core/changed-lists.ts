import type { Snapshot } from './snapshot.js';

/** A list that has a `list_changed` notification in MCP. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

const ITEMS_OF: Record<ChangedList, (snapshot: Snapshot) => unknown[]> = {
  tools: ({ tools }) => tools.map(({ wireName, definition }) => [wireName, definition]),
  resources: ({ resources, templates }) => [...resources, ...templates].map(({ definition }) => definition),
  prompts: ({ prompts }) => prompts.map(({ definition }) => definition),
};

export const LISTS = Object.keys(ITEMS_OF) as readonly ChangedList[];

/** Returns the lists that differ between two snapshots or two views. */
export function changedLists(before: Snapshot, after: Snapshot): ChangedList[] {
  return LISTS.filter((list) => !isSameList(ITEMS_OF[list](before), ITEMS_OF[list](after)));
}

/** Compares definitions as JSON text, so members in another order count as a change. */
function isSameList(before: unknown[], after: unknown[]): boolean {
  return (
    before.length === after.length &&
    before.every((item, index) => item === after[index] || JSON.stringify(item) === JSON.stringify(after[index]))
  );
}
