import { charSet, matchEnd, runEnd } from '../chars.js';
import type { Family } from '../scan.js';

const USER = charSet('A-Za-z0-9!$%&()*+,.=_~@-');
const PORT = /\d{1,5}(?=[/?#,;)\]}\s"'`<>\\]|$)/y;
const NO_PASSWORD = /[/{[$<*]/y;
const END_OF_URL = /[\s"`<>]/;
const END_OF_AUTHORITY = /[/?#]/;

const ORACLE_USER = /[a-z\d]{1,10}:[\w$#.-]{1,128}\//iy;
const ORACLE_PASSWORD = charSet('!-?A-Z\\[-~');

/**
 * The password of `scheme://user:password@host`, whatever the scheme; the user stays and may be empty. A password may
 * hold `@`, and, where it cannot be a port, also `/`, `?` and `#`.
 */
export const urlCredentials: Family = {
  name: 'URL credentials',
  triggers: ['://', ':\\/\\/'],
  find(text, at, hide, trigger) {
    const user = at + trigger.length;
    const colon = runEnd(text, user, USER);
    if (text[colon] !== ':' || matchEnd(PORT, text, colon + 1) >= 0) return 0;
    const password = colon + 1;
    let end = -1;
    let limit = password;
    for (; limit < text.length && !END_OF_URL.test(text[limit]!); limit++) {
      if (text[limit] === '@') end = limit;
      if (END_OF_AUTHORITY.test(text[limit]!)) break;
    }
    if (end >= 0) {
      hide(password, end);
      return end;
    }
    const isPlain = matchEnd(NO_PASSWORD, text, password) < 0 && !text.slice(user, colon).includes('@');
    for (; limit < text.length && !END_OF_URL.test(text[limit]!); limit++) {
      if (text[limit] !== '@') continue;
      if (isPlain) hide(password, limit);
      return limit;
    }
    return limit;
  },
};

/** `jdbc:oracle:thin:user/password@host`. */
export const oracleCredentials: Family = {
  name: 'Oracle credentials',
  triggers: ['jdbc:oracle:'],
  find(text, at, hide, trigger) {
    const start = matchEnd(ORACLE_USER, text, at + trigger.length);
    if (start < 0) return 0;
    const end = runEnd(text, start, ORACLE_PASSWORD);
    if (text[end] === '@') hide(start, end);
    return end;
  },
};
