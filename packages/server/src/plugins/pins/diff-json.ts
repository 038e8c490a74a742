import type { JsonObject, JsonValue } from '@mortise/plugin';
import { isJsonObject, ownMember, pointerSegment } from '@mortise/plugin/runtime';
import { shorten, textDifference, visible } from './diff-text.js';

const MAX_VALUE_CHARS = 500;
/** Texts up to this length are shown on one line: `before → after`. */
const SHORT_CHARS = 60;

/**
 * Returns the differences between two JSON values, each with its JSON pointer: `/type: "string" → "number"`,
 * `/required: + ["a"]`. The changed lines of a long text follow its pointer. [] if the values are equal.
 * @param before undefined if the value was added
 * @param after undefined if the value was removed
 */
export function valueDifference(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  pointer = '',
): readonly string[] {
  if (isJsonObject(before) && isJsonObject(after))
    return membersDifference(before, after, pointer).flatMap(({ lines }) => lines);
  if (isNested(before) && isNested(after)) return itemsDifference(before, after, pointer);
  if (isSame(before, after)) return [];
  const at = `${visible(pointer)}:`;
  if (isText(before) && isText(after) && (isLong(before ?? '') || isLong(after ?? '')))
    return [at, ...textLines(before, after)];
  if (before === undefined) return [`${at} + ${show(after!)}`];
  if (after === undefined) return [`${at} - ${show(before)}`];
  return [`${at} ${show(before)} → ${show(after)}`];
}

/** Returns the differences of each member of two objects, in the order of names. Equal members have no lines. */
export function membersDifference(
  before: JsonObject,
  after: JsonObject,
  pointer: string,
): { readonly member: string; readonly lines: readonly string[] }[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.map((key) => ({
    member: key,
    lines: valueDifference(ownMember(before, key), ownMember(after, key), `${pointer}/${pointerSegment(key)}`),
  }));
}

function itemsDifference(before: JsonValue[], after: JsonValue[], pointer: string): string[] {
  const indexes = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
  return indexes.flatMap((index) => valueDifference(before[index], after[index], `${pointer}/${index}`));
}

/** Returns the changed lines of two texts; of a text that was added or removed, only the lines that it has. */
function textLines(before: string | undefined, after: string | undefined): string[] {
  const lines = textDifference(before ?? '', after ?? '');
  const isOneSided = before === undefined || after === undefined;
  const prefix = before === undefined ? '+' : '-';
  return lines.filter((line) => !isOneSided || line.startsWith(prefix)).map((line) => `  ${line}`);
}

const isNested = (value: JsonValue | undefined): value is JsonValue[] =>
  Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null);

const isText = (value: JsonValue | undefined): value is string | undefined =>
  value === undefined || typeof value === 'string';

const isLong = (text: string) => text.length > SHORT_CHARS || text.includes('\n');

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined) => JSON.stringify(a) === JSON.stringify(b);

const show = (value: JsonValue) => visible(shorten(JSON.stringify(value), MAX_VALUE_CHARS));
