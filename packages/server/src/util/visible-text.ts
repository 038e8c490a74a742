/**
 * Characters that do something to a terminal, or to the order and look of a text, instead of being seen: control
 * characters but TAB and LF, bidirectional controls, separators of lines, tags, and what has no width.
 */
const UNSEEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\u034f/gu;
/** Most texts have nothing but ASCII that is seen, which is quicker to find out. */
const MAY_BE_UNSEEN = /[^\t\n\x20-\x7e]/;
/** Joins emoji to one. */
const JOINER = '\u200d';
const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}])\ufe0f?$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

/**
 * The text as a terminal may show it: what would move the cursor, overwrite, colour, reorder or hide something is written
 * as an escape, `\u001b`, which in a string of JSON means the character. CR before LF goes.
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
