import type { Snapshot } from './snapshot.js';

/** A list that did change. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

const ITEMS_OF: Record<ChangedList, (snapshot: Snapshot) => unknown[]> = {
  tools: ({ tools }) => tools.map(({ wireName, definition }) => [wireName, definition]),
  resources: ({ resources, templates }) => [...resources, ...templates].map(({ definition }) => definition),
  prompts: ({ prompts }) => prompts.map(({ definition }) => definition),
};

export const LISTS = Object.keys(ITEMS_OF) as readonly ChangedList[];

/** The lists that two snapshots, or two views, do not have in common. */
export function changedLists(before: Snapshot, after: Snapshot): ChangedList[] {
  return LISTS.filter((list) => !isSameList(ITEMS_OF[list](before), ITEMS_OF[list](after)));
}

/** Definitions are JSON; members in another order count as a change. */
function isSameList(before: unknown[], after: unknown[]): boolean {
  return (
    before.length === after.length &&
    before.every((item, index) => item === after[index] || JSON.stringify(item) === JSON.stringify(after[index]))
  );
}
