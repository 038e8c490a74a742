import { charSet, codeAt, endOfRun } from '../scanning/chars.js';
import { DOT } from '../scanning/codes.js';
import type { SecretDetector } from '../scanning/scan.js';

const BASE64URL = charSet('A-Za-z0-9_-');
const MIN_PART_CHARS = 8;

/** JSON Web Tokens, signed (three parts) and encrypted (five), also when cut off after the second part began. */
export const jwt: SecretDetector = {
  name: 'JWT',
  triggers: ['eyJ'],
  isCaseExact: true,
  atWordStart: true,
  read: (text, redact) => (at) => {
    const header = endOfRun(text, at, BASE64URL);
    if (codeAt(text, header) !== DOT || header - at < MIN_PART_CHARS) return header;
    let end = header;
    for (let parts = 1; parts < 5 && codeAt(text, end) === DOT; parts++) {
      const part = endOfRun(text, end + 1, BASE64URL);
      if (parts === 1 && part - end <= MIN_PART_CHARS && codeAt(text, part) !== DOT) return header;
      end = part;
    }
    redact(at, end);
    return end;
  },
};
