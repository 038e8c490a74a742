import { AT_SIGN, COLON, charSet, codeAt, DIGIT, endOfMatch, endOfRun, isIn, isSpace } from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { redactInside } from '../values/literals.js';

const USER = charSet('A-Za-z0-9!$%&()*+,.=_~@-');
const PORT = /\d{1,5}(?=[/?#,;)\]}\s"'`<>\\]|$)/y;
const NO_PASSWORD = charSet('/{[$<*');
const END_OF_URL = charSet('"`<>');
const END_OF_AUTHORITY = charSet('/?#');

const MIN_TOKEN_CHARS = 20;
/** A token instead of a user name (`https://token@host`). It has upper-case letters, lower-case letters and a digit. */
const TOKEN = new RegExp(
  `(?=[\\w-]{0,255}\\d)(?=[\\w-]{0,255}[A-Z])(?=[\\w-]{0,255}[a-z])[\\w-]{${MIN_TOKEN_CHARS},255}(?=@)`,
  'y',
);

const ORACLE_USER = /[a-z\d]{1,10}:[\w$#.-]{1,128}\//iy;
const ORACLE_PASSWORD = charSet('!-?A-Z\\[-~');

/**
 * The password in `scheme://user:password@host`, with any scheme. The user name stays in the text and can be empty. A
 * password can contain `@` and, if it cannot be a port, also `/`, `?` and `#`. A token without a password
 * (`https://token@host`) is secret, too.
 */
export const urlCredentials: SecretDetector = {
  name: 'URL credentials',
  triggers: ['://', ':\\/\\/'],
  read: (text, redact) => (at, trigger) => {
    const user = at + trigger.length;
    const colon = endOfRun(text, user, USER);
    const tokenEnd = colon - user > MIN_TOKEN_CHARS ? endOfMatch(TOKEN, text, user) : -1;
    if (tokenEnd >= 0) {
      redact(user, tokenEnd);
      return tokenEnd;
    }
    if (codeAt(text, colon) !== COLON || endOfMatch(PORT, text, colon + 1, DIGIT) >= 0) return 0;
    const password = colon + 1;
    let end = -1;
    let limit = password;
    for (; isInUrl(text, limit); limit++) {
      if (codeAt(text, limit) === AT_SIGN) end = limit;
      if (isIn(text, limit, END_OF_AUTHORITY)) break;
    }
    if (end >= 0) {
      redactInside(text, password, end, 'secret', redact);
      return end;
    }
    const isPlain = !isIn(text, password, NO_PASSWORD) && !text.string.slice(user, colon).includes('@');
    for (; isInUrl(text, limit); limit++) {
      if (codeAt(text, limit) !== AT_SIGN) continue;
      if (isPlain) redact(password, limit);
      return limit;
    }
    return limit;
  },
};

function isInUrl(text: Text, at: number): boolean {
  return at < text.length && !isIn(text, at, END_OF_URL) && !isSpace(text, at);
}

/** The password in `jdbc:oracle:thin:user/password@host`. */
export const oracleCredentials: SecretDetector = {
  name: 'Oracle credentials',
  triggers: ['jdbc:oracle:'],
  read: (text, redact) => (at, trigger) => {
    const start = endOfMatch(ORACLE_USER, text, at + trigger.length);
    if (start < 0) return 0;
    const end = endOfRun(text, start, ORACLE_PASSWORD);
    if (codeAt(text, end) === AT_SIGN) redact(start, end);
    return end;
  },
};
