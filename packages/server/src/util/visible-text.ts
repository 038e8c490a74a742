/**
 * Characters that are not seen, but control a terminal or the order and look of a text: control characters except TAB and
 * LF, bidirectional controls, line separators, tags, and characters without width.
 */
const UNSEEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\u034f/gu;
/** A quick test, because most texts have only visible ASCII characters. */
const MAY_BE_UNSEEN = /[^\t\n\x20-\x7e]/;
/** Joins several emoji to one picture. */
const JOINER = '\u200d';
const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}])\ufe0f?$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

/**
 * Makes a text safe to show in a terminal. Characters that would move the cursor, overwrite, colour, reorder or hide text
 * become escapes such as `\u001b`, which mean the same character in a JSON string. CR before LF is removed.
 */
export function visibleText(text: string): string {
  if (!MAY_BE_UNSEEN.test(text)) return text;
  return text.replace(/\r+\n/g, '\n').replace(UNSEEN, (char, at: number) => {
    if (char === JOINER && PICTURE_BEFORE.test(text.slice(Math.max(0, at - 3), at))) {
      if (PICTURE_AFTER.test(text.slice(at + 1, at + 3))) return char;
    }
    return [...Array(char.length).keys()].map((i) => escapeOf(char.charCodeAt(i))).join('');
  });
}

const escapeOf = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
