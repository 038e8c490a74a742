import { diffArrays } from 'diff';

/** One line of two texts that are compared. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** If more lines than these were removed and added, all of both texts count as changed. */
const MAX_CHANGED_LINES = 2_000;

/** The lines of both texts in one order: what is only in the first is removed, what is only in the second is added. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(a, b, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  return parts.flatMap(({ value, removed, added }) => {
    const kind = removed ? 'removed' : added ? 'added' : 'same';
    return value.map((text) => ({ kind, text }) as const);
  });
}
