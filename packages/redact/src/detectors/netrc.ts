import { charSet, endOfMatch, isBefore, isSpace, wordPattern } from '../scanning/chars.js';
import { isPlaceholder, type SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isSubstitution } from '../values/code.js';
import { endAtSpace } from '../values/unquoted.js';

/** The keywords of a netrc file. A value follows each of them. */
const KEYS = wordPattern('login user account password passwd machine port');
const PART_OF_WORD = charSet('\\w.=:/-');
const HAS_LETTER = /[\w\x80-\uffff[{$]/;
const NOT_ONLY_LETTERS = /[^a-z]/;
const MAX_WORDS = 40;
const MAX_SPACES = 200;

/**
 * Passwords in entries of netrc files: `machine h login x password y` on one or several lines, in any order, with
 * `default` instead of `machine`, or only `login x password y`. A sentence (`machine and password`) does not consist of
 * pairs of keyword and value.
 */
export const netrc: SecretDetector = {
  name: 'netrc',
  triggers: ['machine', 'default', 'login'],
  read: (text, redact) => (at, trigger) => {
    const end = at + trigger.length;
    if (isBefore(text, at, PART_OF_WORD) || !isSpace(text, end)) return 0;
    const isEntry = trigger === 'machine' || trigger === 'default';
    let key = trigger === 'default' ? '' : trigger;
    let isPaired = isEntry;
    let next = end;
    for (let words = 0; words < MAX_WORDS; words++) {
      const start = afterSpaces(text, next);
      const wordEnd = endOfWord(text, start);
      if (wordEnd === start || start === next) break;
      if (key === '') {
        const keyEnd = endOfMatch(KEYS, text, start);
        if (keyEnd !== wordEnd) break;
        key = text.string.slice(start, wordEnd).toLowerCase();
      } else {
        const isPassword = key === 'password' || key === 'passwd';
        if (!isPassword && !HAS_LETTER.test(text.string.slice(start, wordEnd))) break;
        if (isPassword && isPaired && isSecretAt(text, start)) redact(start, endAtSpace(text, start));
        isPaired = true;
        key = '';
      }
      next = wordEnd;
    }
    return next;
  },
};

/** Ignores a variable, and a word of lower-case letters, because it is probably part of a sentence. */
function isSecretAt(text: Text, start: number): boolean {
  const end = endAtSpace(text, start);
  if (isPlaceholder(text, start) || isSubstitution(text, start, end)) return false;
  return NOT_ONLY_LETTERS.test(text.string.slice(start, end));
}

function afterSpaces(text: Text, from: number): number {
  let at = from;
  while (at - from < MAX_SPACES && isSpace(text, at)) at++;
  return at;
}

function endOfWord(text: Text, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text, at)) at++;
  return at;
}
