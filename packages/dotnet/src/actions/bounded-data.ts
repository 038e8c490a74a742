import { head } from '../diagnostics/parse/truncate.js';

/** Characters of JSON of structuredContent; {@link RESERVED_CHARS} of them are for what the server adds. */
export const MAX_DATA_CHARS = 30_000;
const RESERVED_CHARS = 400;

/** A list that the call did not ask for keeps so many entries. */
const MAX_ENTRIES = 50;

/** Lists that are never shortened, because a caller acts on each of their entries. */
const WHOLE_LISTS: readonly string[] = ['errors'];

/** A text of fewer characters is never shortened. */
const MIN_TEXT_CHARS = 1_000;

export interface BoundedData {
  readonly data: object;
  /** Lists and texts that `data` does not contain completely, as text for the full output; empty if it contains all. */
  readonly omitted: string;
}

type Members = Record<string, unknown>;

/**
 * The fields of a result within the limits of docs/spec/dotnet-results.md#result-limits: long lists lose their last entries, which
 * `omitted<List>` counts.
 * @param requestedList the member that the call asked for, which has as many entries as fit
 * @param usedChars JSON of the result that is not in `data`, such as the errors of a failure
 */
export function boundedData(data: object, requestedList?: string, usedChars = 0): BoundedData {
  const members: Members = { ...data };
  const whole = data as Members;
  const maxChars = MAX_DATA_CHARS - RESERVED_CHARS - usedChars;
  for (const name of listsOf(members)) {
    if (name !== requestedList) shorten(members, name, MAX_ENTRIES);
  }
  fitLists(members, requestedList, maxChars);
  fitTexts(members, maxChars);
  const changed = Object.keys(whole).filter((name) => members[name] !== whole[name]);
  return {
    data: withCounts(members, whole),
    omitted: changed.map((name) => fullMember(name, whole[name])).join('\n\n'),
  };
}

/** The full output with what the data omits, below what the command printed. */
export function withOmitted(output: string, omitted: string): string {
  return omitted === '' ? output : [output.trimEnd(), omitted].filter(Boolean).join('\n\n');
}

function listsOf(members: Members): string[] {
  return Object.keys(members).filter((name) => Array.isArray(members[name]) && !WHOLE_LISTS.includes(name));
}

function shorten(members: Members, name: string, length: number): void {
  const list = members[name] as unknown[];
  if (list.length > length) members[name] = list.slice(0, Math.max(0, length));
}

/** Shortens the longest list until all fits, and the requested one only if the others take less than half of the room. */
function fitLists(members: Members, requestedList: string | undefined, maxChars: number): void {
  for (;;) {
    const excess = chars(members) - maxChars;
    if (excess <= 0) return;
    const sizes = listsOf(members)
      .map((name) => ({ name, size: chars(members[name]), list: members[name] as unknown[] }))
      .filter(({ list }) => list.length > 0)
      .sort((a, b) => b.size - a.size);
    const others = sizes.filter(({ name }) => name !== requestedList);
    const areOthersLong = others.reduce((sum, { size }) => sum + size, 0) > maxChars / 2;
    const longest = (areOthersLong ? others : sizes)[0];
    if (longest === undefined) return;
    shorten(members, longest.name, lengthWithout(longest.list, areOthersLong ? excess / 2 : excess));
  }
}

/** How many entries remain if at least `excess` characters of JSON are taken from the end. */
function lengthWithout(list: readonly unknown[], excess: number): number {
  let length = list.length;
  for (let removed = 0; length > 0 && removed < excess; ) {
    length -= 1;
    removed += chars(list[length]) + 1;
  }
  return length;
}

/** Without lists to shorten, the longest texts keep their beginning. */
function fitTexts(members: Members, maxChars: number): void {
  const texts = Object.keys(members)
    .filter((name) => typeof members[name] === 'string')
    .sort((a, b) => (members[b] as string).length - (members[a] as string).length);
  for (const name of texts) {
    const excess = chars(members) - maxChars;
    const text = members[name] as string;
    if (excess <= 0 || text.length <= MIN_TEXT_CHARS) return;
    const kept = head(text, Math.max(MIN_TEXT_CHARS, text.length - excess - 100));
    members[name] = `${kept}\n[${text.length - kept.length} characters omitted]`;
  }
}

function withCounts(members: Members, whole: Members): object {
  const counts: Record<string, number> = {};
  for (const name of listsOf(members)) {
    const omitted = (whole[name] as unknown[]).length - (members[name] as unknown[]).length;
    const count = `omitted${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const before = typeof whole[count] === 'number' ? whole[count] : 0;
    if (omitted > 0) counts[count] = omitted + before;
  }
  return { ...members, ...counts };
}

function chars(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** `diagnostics, all 1000:`, then one entry a line; it is text, because secrets in it are not replaced yet. */
function fullMember(name: string, value: unknown): string {
  if (!Array.isArray(value)) return `${name}:\n${String(value)}`;
  return [`${name}, all ${value.length}:`, ...value.map((entry) => plainText(entry))].join('\n');
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${name}: ${typeof member === 'object' ? `(${plainText(member)})` : plainText(member)}`)
    .join(', ');
}
