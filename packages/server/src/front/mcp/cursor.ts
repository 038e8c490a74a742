import { invalidParams } from '@mortise/mcp';

/** One page of a list, and the cursor of the next one. */
export interface Page<T> {
  items: readonly T[];
  nextCursor?: string;
}

interface Position {
  list: string;
  /** The key of the last item that was sent. */
  after: string;
  /** The number of items that were sent. */
  count: number;
}

/**
 * Cuts a page out of a list. The cursor names the last item that was sent, so it remains valid when the list changes. If
 * that item was removed, the page begins at its former place.
 *
 * @param list the name of the list. A cursor of another list is refused.
 * @param pageSize 0 puts all items on one page
 * @throws RpcError −32602 for an invalid cursor
 */
export function cutPage<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { list, pageSize, cursor }: { list: string; pageSize: number; cursor: unknown },
): Page<T> {
  const start = cursor === undefined ? 0 : startAfter(items, keyOf, readCursor(cursor, list));
  const end = pageSize === 0 ? items.length : start + pageSize;
  if (start === 0 && end >= items.length) return { items };
  const page = items.slice(start, end);
  const last = page.at(-1);
  if (end >= items.length || last === undefined) return { items: page };
  return { items: page, nextCursor: writeCursor({ list, after: keyOf(last), count: end }) };
}

function startAfter<T>(items: readonly T[], keyOf: (item: T) => string, { after, count }: Position): number {
  const guess = count - 1;
  const candidate = guess < items.length ? items[guess] : undefined;
  if (candidate !== undefined && keyOf(candidate) === after) return count;
  const index = items.findIndex((item) => keyOf(item) === after);
  return index === -1 ? Math.min(guess, items.length) : index + 1;
}

function writeCursor({ list, after, count }: Position): string {
  return Buffer.from(JSON.stringify([list, after, count])).toString('base64url');
}

function readCursor(cursor: unknown, list: string): Position {
  const position = typeof cursor === 'string' ? decode(cursor) : undefined;
  if (position?.list !== list) {
    throw invalidParams('Invalid cursor: pass back the nextCursor of the previous page as it is, or none.');
  }
  return position;
}

function decode(cursor: string): Position | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [list, after, count] = value as unknown[];
  const isValid =
    typeof list === 'string' && typeof after === 'string' && Number.isSafeInteger(count) && Number(count) > 0;
  return isValid ? { list, after, count: Number(count) } : undefined;
}
