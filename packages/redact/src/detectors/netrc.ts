import { charSet, endOfMatch, isBefore, isSpace, wordPattern } from '../scanning/chars.js';
import { isPlaceholder, type SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { endAtSpace } from '../values/unquoted.js';

/** The meaning of the word that follows each keyword of a netrc file. */
const KEYS = wordPattern('login user account password passwd machine port');
const PART_OF_WORD = charSet('\\w.=:/-');
const NOT_ONLY_LETTERS = /[^a-z]/;
const MAX_WORDS = 40;
const MAX_SPACES = 200;

/**
 * `machine h login x password y`, in one line or several, in any order; `default` for `machine`; and `login x password y` alone. In a
 * sentence (`machine and password`) the words do not come in pairs.
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
      const stop = wordStop(text, start);
      if (stop === start || start === next) break;
      if (key === '') {
        const keyEnd = endOfMatch(KEYS, text, start);
        if (keyEnd !== stop) break;
        key = text.string.slice(start, stop).toLowerCase();
      } else {
        const isPassword = key === 'password' || key === 'passwd';
        if (isPassword && isPaired && isSecretAt(text, start)) redact(start, endAtSpace(text, start));
        isPaired = true;
        key = '';
      }
      next = stop;
    }
    return next;
  },
};

/** A word with only lower-case letters is more likely part of a sentence. */
function isSecretAt(text: Text, start: number): boolean {
  return !isPlaceholder(text, start) && NOT_ONLY_LETTERS.test(text.string.slice(start, endAtSpace(text, start)));
}

function afterSpaces(text: Text, from: number): number {
  let at = from;
  while (at - from < MAX_SPACES && isSpace(text, at)) at++;
  return at;
}

function wordStop(text: Text, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text, at)) at++;
  return at;
}
