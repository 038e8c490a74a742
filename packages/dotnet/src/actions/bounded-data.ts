import { head } from '../diagnostics/parse/truncate.js';

/** The maximum size of structuredContent, in characters of JSON. */
export const MAX_DATA_CHARS = 30_000;
/** The part of {@link MAX_DATA_CHARS} that is reserved for members that the server adds. */
const RESERVED_CHARS = 400;

/** The maximum number of entries of a list that the call did not ask for. */
const MAX_ENTRIES = 50;

/** The lists that are never shortened, because a caller acts on each of their entries. */
const WHOLE_LISTS: readonly string[] = ['errors'];

/** A shortened text keeps at least this many characters. */
const MIN_TEXT_CHARS = 1_000;

export interface BoundedData {
  readonly data: object;
  /** The complete lists and texts that were shortened, as text for the full output; empty if none was shortened. */
  readonly omitted: string;
}

type Members = Record<string, unknown>;

/**
 * Shortens the fields of a result to the limits of docs/spec/dotnet-results.md#result-limits. Long lists lose their
 * last entries; `omitted<List>` is their number.
 * @param requestedList the member that the call asked for, which keeps as many entries as fit
 * @param usedChars the characters of JSON of the result that are not in `data`, such as the errors of a failure
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

/** Appends the text of {@link BoundedData.omitted} to the output of the command. */
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

/**
 * Shortens the longest list until the members fit. The requested list is shortened only if the other lists take less
 * than half of `maxChars`.
 */
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

/** Returns the number of entries that remain if at least `excess` characters of JSON are removed from the end. */
function lengthWithout(list: readonly unknown[], excess: number): number {
  let length = list.length;
  for (let removed = 0; length > 0 && removed < excess; ) {
    length -= 1;
    removed += chars(list[length]) + 1;
  }
  return length;
}

/** Cuts off the ends of the longest texts if the members do not fit even with shortened lists. */
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

/**
 * Returns `diagnostics, all 1000:`, then one entry per line. The text is not JSON, because secrets are redacted later,
 * and JSON's escapes would hide them from the redactor.
 */
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
