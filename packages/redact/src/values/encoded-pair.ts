const BASE64 = /^[A-Za-z\d+/_-]{6,}={0,2}$/;
const PAIR = /^[\x20-\x7e]+:[^\x00-\x1f\ufffd]+$/;

/** Whether it is `user:password` in Base64. */
export function isEncodedPair(value: string): boolean {
  return BASE64.test(value) && PAIR.test(Buffer.from(value, 'base64').toString('utf8'));
}
