import { charSet, codeAt, isBefore, isIn, startsWithAt } from '../scanning/chars.js';
import { AMPERSAND, PERCENT } from '../scanning/codes.js';
import { isPlaceholder, PLACEHOLDER, type SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

const STARTS_MEMBER = charSet('?&;');
const ENDS_ESCAPE = charSet('6fF');
const MEMBER_ESCAPES = ['\\u0026', '%26', '%3f'] as const;
const KEY_CHARS = charSet('A-Za-z0-9_.-');
const VALUE_CHARS = charSet('\\w%+/=.~-');
const ESCAPED_AMPERSAND = '%26';
const MAX_VALUE_CHARS = 1024;

/** `sig` in the query of a shared access signature. */
export const querySignatures: SecretDetector = {
  name: 'query signatures',
  triggers: ['sig=', 'sig%3d'],
  read(text, redact) {
    let cachedFrom = -1;
    let cachedEnd = -1;
    /** Values can contain text that looks like further signatures; each of those ends where the value ends. */
    const endOfValue = (from: number) => {
      if (isPlaceholder(text, from)) return from + PLACEHOLDER.length;
      if (from < cachedFrom || from > cachedEnd) {
        cachedFrom = from;
        cachedEnd = endOfRun(text, from);
      }
      return Math.min(cachedEnd, from + MAX_VALUE_CHARS);
    };
    return (at, trigger) => {
      const from = at + trigger.length;
      const end = endOfValue(from);
      const isOnlyMember = codeAt(text, end) === AMPERSAND && !isBefore(text, at, KEY_CHARS);
      if (end === from || !(isOnlyMember || startsMember(text, at))) return 0;
      redact(from, end);
      return end;
    };
  },
};

function startsMember(text: Text, at: number): boolean {
  if (!isBefore(text, at, ENDS_ESCAPE)) return isBefore(text, at, STARTS_MEMBER);
  return MEMBER_ESCAPES.some((escaped) => at >= escaped.length && startsWithAt(text, at - escaped.length, escaped));
}

function endOfRun(text: Text, from: number): number {
  let at = from;
  while (isIn(text, at, VALUE_CHARS) && !(codeAt(text, at) === PERCENT && startsWithAt(text, at, ESCAPED_AMPERSAND)))
    at++;
  return at;
}
