/**
 * Characters that are not seen, but control a terminal or the order and look of a text, or are read by a model: those of
 * docs/spec/plugin-definitions.md#hidden-text. TAB and LF are no such characters, and CR is one.
 */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]|\p{Noncharacter_Code_Point}/gu;
/** A quick test, because most texts have only visible ASCII characters. */
const MAY_BE_UNSEEN = /[^\t\n\x20-\x7e]/;
/** Variation selectors, which choose the plain or the coloured form of an emoji. */
const SELECTORS = '\ufe0e\ufe0f';
const EMOJI_BEFORE = /\p{Emoji}$/u;
/** The character that joins several emoji to one picture. */
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
    if (SELECTORS.includes(char) && EMOJI_BEFORE.test(text.slice(Math.max(0, at - 2), at))) return char;
    return [...Array(char.length).keys()].map((i) => escapeOf(char.charCodeAt(i))).join('');
  });
}

const escapeOf = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
