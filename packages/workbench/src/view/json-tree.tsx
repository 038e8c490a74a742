import { useMemo, useState } from 'preact/hooks';
import { isNumber, isObject, type Json, numberText } from '../json/json.js';
import { VirtualList } from './virtual-list.js';

interface Row {
  readonly pointer: string;
  readonly depth: number;
  readonly label: string;
  readonly value: Json;
  /** The number of items or members; undefined for a leaf. */
  readonly size?: number;
}

const ROW_HEIGHT = 24;
const MAX_HEIGHT = 480;
/** Longer texts are cut. */
const MAX_TEXT_CHARS = 300;
/**
 * Branches right below the root are open initially if they have at most this many entries. The limit is halved at each
 * deeper level.
 */
const MAX_OPEN_SIZE = 60;

/**
 * Shows JSON as a tree. Only the visible rows are drawn.
 * @param problems texts to show beside values, by the JSON Pointer of the value
 */
export function JsonTree({
  value,
  label,
  problems,
}: {
  value: Json;
  label: string;
  problems?: ReadonlyMap<string, string>;
}) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => visibleRows(value, toggled), [value, toggled]);
  const toggle = (pointer: string) => {
    const next = new Set(toggled);
    if (!next.delete(pointer)) next.add(pointer);
    setToggled(next);
  };
  return (
    <VirtualList
      class="tree"
      items={rows}
      rowHeight={ROW_HEIGHT}
      maxHeight={MAX_HEIGHT}
      attributes={{ role: 'group', 'aria-label': label, tabIndex: 0 }}
      render={(row) => (
        <TreeRow
          key={row.pointer}
          row={row}
          isOpen={isRowOpen(row, toggled)}
          problem={problems?.get(row.pointer)}
          onToggle={toggle}
        />
      )}
    />
  );
}

function TreeRow({
  row,
  isOpen,
  problem,
  onToggle,
}: {
  row: Row;
  isOpen: boolean;
  problem: string | undefined;
  onToggle: (pointer: string) => void;
}) {
  const { depth, label, value, size, pointer } = row;
  const indent = { paddingInlineStart: `${depth * 16 + 4}px`, height: `${ROW_HEIGHT}px` };
  return (
    <div class={`tree-row ${problem === undefined ? '' : 'tree-problem'}`} style={indent}>
      {size === undefined ? (
        <span class="tree-leaf">
          <span class="tree-key">{label}</span>
          <span class={`tree-value tree-${kindOf(value)}`}>{leafText(value)}</span>
        </span>
      ) : (
        <button type="button" class="tree-toggle" aria-expanded={isOpen} onClick={() => onToggle(pointer)}>
          <span class="tree-arrow" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
          <span class="tree-key">{label}</span>
          <span class="tree-size">
            {Array.isArray(value)
              ? `${size} ${size === 1 ? 'item' : 'items'}`
              : `${size} ${size === 1 ? 'member' : 'members'}`}
          </span>
        </button>
      )}
      {problem !== undefined && <span class="tree-note">{problem}</span>}
    </div>
  );
}

function visibleRows(root: Json, toggled: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const visit = (value: Json, label: string, pointer: string, depth: number) => {
    const size = sizeOf(value);
    const row: Row = { pointer, depth, label, value, ...(size !== undefined && { size }) };
    rows.push(row);
    if (size === undefined || !isRowOpen(row, toggled)) return;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1)
        visit(value[index]!, String(index), `${pointer}/${index}`, depth + 1);
    } else {
      for (const [name, member] of Object.entries(value as object)) {
        visit(member as Json, name, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      }
    }
  };
  if (sizeOf(root) === undefined) visit(root, 'value', '', 0);
  else visit(root, Array.isArray(root) ? 'list' : 'object', '', 0);
  return rows;
}

/** Short branches near the root are open initially; `toggled` has the pointers of those that the user has changed. */
function isRowOpen({ pointer, depth, size = 0 }: Row, toggled: ReadonlySet<string>): boolean {
  const isInitiallyOpen = depth === 0 ? size <= 10_000 : depth < 3 && size <= MAX_OPEN_SIZE / 2 ** (depth - 1);
  return toggled.has(pointer) !== isInitiallyOpen;
}

function sizeOf(value: Json): number | undefined {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return isNumber(value) ? 'number' : typeof value;
}

function leafText(value: Json): string {
  if (isNumber(value)) return numberText(value);
  const text = JSON.stringify(value);
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}… (${text.length} characters)` : text;
}
