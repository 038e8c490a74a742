import { BYTES } from '../scanning/chars.js';
import { COLON, EQUALS, SPACE, TILDE } from '../scanning/codes.js';

const PAIR = /^[\x20-\x7e]+:[^\x00-\x1f\ufffd]+$/;
const BASE64_CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Six bits by character; the alphabet of URLs too. Any other character is -1. */
const BASE64_BITS = Int8Array.from({ length: BYTES }, (_, code) => {
  const char = String.fromCharCode(code).replace('-', '+').replace('_', '/');
  return BASE64_CHARS.indexOf(char);
});
const MIN_PAIR_CHARS = 6;
const MAX_PADDING = 2;

/** The characters of Base64 before the padding, or -1 if it is not Base64. */
function base64Length(value: string): number {
  let end = value.length;
  while (end > value.length - MAX_PADDING && value.charCodeAt(end - 1) === EQUALS) end--;
  if (end < MIN_PAIR_CHARS) return -1;
  for (let at = 0; at < end; at++) {
    const code = value.charCodeAt(at);
    if (code >= BYTES || BASE64_BITS[code]! < 0) return -1;
  }
  return end;
}

/** Whether it is `user:password` in Base64. */
export function isEncodedPair(value: string): boolean {
  const end = base64Length(value);
  let hasUser = false;
  let hasPassword = false;
  let sextets = 0;
  for (let at = 0, bits = 0; at < end; at++) {
    sextets = ((sextets << 6) | BASE64_BITS[value.charCodeAt(at)]!) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (sextets >> bits) & 0xff;
    if (byte < SPACE) return false;
    // Bytes beyond ASCII are characters only where they are valid UTF-8.
    if (byte > TILDE) return PAIR.test(Buffer.from(value, 'base64').toString('utf8'));
    if (hasUser) hasPassword = true;
    else if (byte === COLON && at > 1) hasUser = true;
  }
  return hasPassword;
}
