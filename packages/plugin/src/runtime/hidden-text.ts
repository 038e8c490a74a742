import { pointerSegment } from '../json-pointer.js';

/**
 * Characters that a reader does not see but a model reads: controls, zero-width and default-ignorable characters (soft
 * hyphen, marks of direction, Hangul fillers, variation selectors, tags), interlinear annotation, the blank Braille
 * pattern, the null notehead, private use, lone surrogates, and line separators that few programs show.
 */
const HIDDEN =
  /(?![\t\n\r])[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]|\p{Noncharacter_Code_Point}/gu;

/** Legitimate uses of such characters, according to the Unicode Standard and UTS #51. */
const LEGITIMATE = new RegExp(
  [
    // The flags of England, Scotland and Wales. Every other sequence of tags is hidden text.
    '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
    // Joined emoji, and the selection of the coloured or plain form.
    '(?<=\\p{Emoji})[\\ufe0e\\ufe0f](?![\\ufe00-\\ufe0f])',
    '(?<=\\p{Emoji_Modifier}|\\p{Extended_Pictographic}|\\ufe0f)\\u200d(?=\\p{Extended_Pictographic}|[\\u2640\\u2642])',
    '(?<=\\p{sc=Mong})[\\u180b-\\u180e]',
    // Joiners between letters of scripts that need them.
    '(?<=[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}])[\\u200c\\u200d](?=[\\p{L}\\p{M}\\s]|$)',
  ].join('|'),
  'gu',
);

/**
 * The maximum length of a text in which legitimate hidden characters are recognised. In longer texts every hidden
 * character counts.
 */
const MAX_EXPLAINED = 100_000;

/**
 * Describes the hidden parts of a text for messages, for example `the hidden character U+200B` or `an HTML comment`.
 * Empty if there are none.
 */
export function findHidden(text: string): string[] {
  const found: string[] = [];
  if (text.search(HIDDEN) !== -1) {
    const unexplained = text.length > MAX_EXPLAINED ? text : text.replace(LEGITIMATE, '');
    const [hidden] = unexplained.match(HIDDEN) ?? [];
    if (hidden !== undefined) found.push(`the hidden character U+${codeOf(hidden)}`);
  }
  if (text.includes('<!--')) found.push('an HTML comment');
  return found;
}

const codeOf = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/**
 * Yields every text in a value with its JSON pointer, including member names. Iterates, so that deep values do not
 * overflow the stack.
 */
function* textsOf(value: unknown): Generator<{ text: string; pointer: string }> {
  const open: { value: unknown; pointer: string }[] = [{ value, pointer: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: inner, pointer } = next;
    if (typeof inner === 'string') yield { text: inner, pointer };
    else if (typeof inner === 'object' && inner !== null) {
      const isList = Array.isArray(inner);
      const members = Object.entries(inner).map(([key, member]) => ({
        value: member,
        pointer: `${pointer}/${pointerSegment(key)}`,
        key,
      }));
      if (!isList) for (const { key, pointer: at } of members) yield { text: key, pointer: at };
      open.push(...members.reverse());
    }
  }
}

/**
 * Describes the hidden parts of all texts in a JSON value, with the JSON pointer of their first occurrence. Each kind
 * is listed once; at most {@link MAX_FOUND} are listed.
 */
export function hiddenTextIn(value: unknown): string[] {
  const found = new Map<string, string>();
  for (const { text, pointer } of textsOf(value)) {
    for (const what of findHidden(text)) if (!found.has(what)) found.set(what, pointer);
    if (found.size >= MAX_FOUND) break;
  }
  return Array.from(found, ([what, pointer]) => (pointer === '' ? what : `${what} at ${visible(pointer)}`));
}

const visible = (pointer: string): string =>
  (pointer.length <= MAX_POINTER_CHARS ? pointer : `a pointer of ${pointer.length} characters`).replace(
    HIDDEN,
    (character) => `\\u{${codeOf(character)}}`,
  );

const MAX_POINTER_CHARS = 200;
const MAX_FOUND = 5;
