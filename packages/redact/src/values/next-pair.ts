import { PLACEHOLDER } from '../placeholder.js';
import { BLANK, charSet, codeAt, endOfRun, isIn, isSpace, LETTER } from '../scanning/chars.js';
import { AMPERSAND, BACKSLASH, COMMA, EQUALS, SMALL_A, SMALL_U, SPACE } from '../scanning/codes.js';
import { backslashesEnd } from '../scanning/escapes.js';
import { isPlaceholder } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

const STARTS_KEY = charSet('A-Za-z_');
const KEY_CHARS = charSet('\\w.[\\]-');
const MAX_KEY_CHARS = 60;
const MAX_WORD_CHARS = 20;
const OPENS_MEMBER = charSet('"\'{');

/** Whether the next member of a list, a query or a connection string begins: `,b=`, `&b=`, `&amp;b=`, `; User Id=`, `,"b":`. */
export function isNextMember(text: Text, at: number): boolean {
  if (codeAt(text, at) === AMPERSAND) return isAssigned(text, afterEntity(text, at + 1), 0);
  if (codeAt(text, at) === BACKSLASH) return isAfterEscapedAmpersand(text, at);
  if (codeAt(text, at) === COMMA && opensMember(text, at + 1)) return true;
  return isAssigned(text, isIn(text, at + 1, BLANK) ? at + 2 : at + 1, 2);
}

function afterEntity(text: Text, at: number): number {
  return codeAt(text, at) === SMALL_A && text.string.startsWith('amp;', at) ? at + 'amp;'.length : at;
}

function isAfterEscapedAmpersand(text: Text, at: number): boolean {
  const operator = backslashesEnd(text, at);
  return (
    codeAt(text, operator) === SMALL_U &&
    text.string.startsWith('u0026', operator) &&
    isAssigned(text, operator + 'u0026'.length, 0)
  );
}

function opensMember(text: Text, at: number): boolean {
  const from = isSpace(text, at) ? at + 1 : at;
  return isIn(text, codeAt(text, from) === BACKSLASH ? backslashesEnd(text, from) : from, OPENS_MEMBER);
}

/** Whether a key, up to `moreWords` further words, and `=` follow. */
function isAssigned(text: Text, from: number, moreWords: number): boolean {
  const start = isIn(text, from, STARTS_KEY) ? from + 1 : isPlaceholder(text, from) ? from + PLACEHOLDER.length : -1;
  if (start < 0) return false;
  let end = endOfRun(text, start, KEY_CHARS);
  if (end - start > MAX_KEY_CHARS) return false;
  for (let words = 0; words < moreWords && codeAt(text, end) === SPACE && isIn(text, end + 1, LETTER); words++) {
    const wordEnd = endOfRun(text, end + 1, LETTER);
    if (wordEnd - end > MAX_WORD_CHARS + 1) return false;
    end = wordEnd;
  }
  if (isIn(text, end, BLANK)) end++;
  return codeAt(text, end) === EQUALS && codeAt(text, end + 1) !== EQUALS;
}
