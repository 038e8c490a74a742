import { charSet, endOfMatch, endOfRun, startOfRun } from '../scanning/chars.js';
import { afterEscape } from '../scanning/escapes.js';
import type { SecretDetector } from '../scanning/scan.js';
import { TOKEN_FORMATS, type TokenFormat } from './token-formats.js';

const DEFAULT_SUFFIX_CHARS = 'A-Za-z0-9_-';
const MAX_CHARS_BEFORE = 128;

/** One detector for each token format of a well-known provider. */
export const providerTokens: readonly SecretDetector[] = TOKEN_FORMATS.map(detectorFor);

function detectorFor({
  provider,
  literals,
  after,
  firstPossibleMatch,
  before,
  suffixChars = DEFAULT_SUFFIX_CHARS,
  keepsLiteral,
}: TokenFormat): SecretDetector {
  const suffixCharSet = charSet(suffixChars);
  const beforeChars = before && charSet(before.chars);
  return {
    name: `${provider} tokens`,
    triggers: literals,
    isCaseExact: true,
    atWordStart: !before && !keepsLiteral,
    read: (text, redact) => (at, literal) => {
      const start = beforeChars ? afterEscape(text, startOfRun(text, at, beforeChars, MAX_CHARS_BEFORE), at) : at;
      if (before && at - start < before.min) return 0;
      const earliest = firstPossibleMatch ? firstPossibleMatch(text, at + literal.length) : 0;
      if (earliest > at + literal.length) return earliest - literal.length;
      const requiredEnd = endOfMatch(after, text, at + literal.length);
      if (requiredEnd < 0) return 0;
      const end = endOfRun(text, requiredEnd, suffixCharSet);
      redact(keepsLiteral ? at + literal.length : start, end);
      return end;
    },
  };
}
