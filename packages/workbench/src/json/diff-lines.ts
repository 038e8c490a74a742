import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** If more lines differ, all lines of the first text count as removed and all lines of the second as added. */
const MAX_CHANGED_LINES = 2_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const [linesBefore, linesAfter] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(linesBefore, linesAfter, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { value: linesBefore, removed: true, added: false },
    { value: linesAfter, removed: false, added: true },
  ];
  return parts.flatMap(({ value, removed, added }) => {
    const kind = removed ? 'removed' : added ? 'added' : 'same';
    return value.map((text) => ({ kind, text }) as const);
  });
}
