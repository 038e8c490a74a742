import { charSet, codeAt, DOT, endOfRun, OPENING_BRACE, startOfRun } from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';

const BASE64URL = charSet('A-Za-z0-9_-');
const MIN_PART_CHARS = 8;

/** JSON Web Tokens: signed (three parts) or encrypted (five parts). A token can be cut off within its second part. */
export const jwt: SecretDetector = {
  name: 'JWT',
  triggers: ['eyJ'],
  isCaseExact: true,
  atWordStart: true,
  read: (text, redact) => (at) => {
    const headerEnd = endOfRun(text, at, BASE64URL);
    if (codeAt(text, headerEnd) !== DOT || headerEnd - at < MIN_PART_CHARS) return headerEnd;
    let end = headerEnd;
    for (let parts = 1; parts < 5 && codeAt(text, end) === DOT; parts++) {
      const partEnd = endOfRun(text, end + 1, BASE64URL);
      if (parts === 1 && partEnd - end <= MIN_PART_CHARS && codeAt(text, partEnd) !== DOT) return headerEnd;
      end = partEnd;
    }
    redact(at, end);
    return end;
  },
};

/** The private members of RSA, elliptic-curve and symmetric keys (RFC 7518). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'] as const;
const PRIVATE_MEMBER = new RegExp(`"(?:${PRIVATE_MEMBERS.join('|')})"\\s{0,20}:\\s{0,20}"([^"]{1,8000})"`, 'dg');
const MAX_CHARS = 16_000;
const INSIDE_OBJECT = charSet('^{}');

export const isPrivateKeyMember = (key: string): boolean => (PRIVATE_MEMBERS as readonly string[]).includes(key);

/** The private members of JSON Web Keys: `{"kty": "EC", "d": "…"}`. */
export const jsonWebKeys: SecretDetector = {
  name: 'JSON Web Keys',
  triggers: ['"kty"'],
  isCaseExact: true,
  read(text, redact) {
    let readTo = 0;
    return (at) => {
      const start = Math.max(readTo, startOfRun(text, at, INSIDE_OBJECT, MAX_CHARS));
      if (start > readTo && codeAt(text, start - 1) !== OPENING_BRACE) return 0;
      const closing = text.string.slice(at, at + MAX_CHARS).search(/[{}]/);
      const end = closing < 0 ? Math.min(text.length, at + MAX_CHARS) : at + closing;
      for (const match of text.string.slice(start, end).matchAll(PRIVATE_MEMBER)) {
        const [from, to] = match.indices![1]!;
        redact(start + from, start + to);
      }
      readTo = end;
      return end;
    };
  },
};
