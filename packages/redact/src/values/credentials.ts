import { PLACEHOLDER } from '../placeholder.js';
import { charSet, endOfMatch, LETTER } from '../scanning/chars.js';
import { isPlaceholder, type RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isExpression } from './code.js';
import { isConstantAt } from './names.js';
import { looksLikeProse } from './non-secret-values.js';
import { endAtLine, endAtSpace } from './unquoted.js';

/** A scheme of an Authorization header, with the white space before its credentials. */
const SCHEME =
  /(?:apikey|api-key|aws|aws4-hmac-sha256|basic|bearer|bot|digest|dpop|geniekey|hawk|jwt|key|mac|negotiate|ntlm|oauth|scram-sha-(?:1|256)|sharedaccesssignature|sharedkey(?:lite)?|splunk|ssws|token|vapid)(?:[ \t]+|$|(?=["'\s]))/iy;
const STARTS_SCHEME = charSet('abdghjkmnostvABDGHJKMNOSTV');

/** Credentials that consist of parameters: `username="a b", realm=…`, `Credential=a/b, SignedHeaders=…`. */
const HAS_PARAMETERS = /[A-Za-z][\w-]{0,40}=(?:\\{0,64}"|[^\s,"']{1,1024},)/y;
const PARAMETER = /[A-Za-z][\w-]{0,40}=(?:\\{0,64}"[^"\r\n]{0,2048}"|[^\s,"']{0,2048})/y;
const NEXT_PARAMETER = /[ \t]{0,8},[ \t]{0,8}(?=[A-Za-z][\w-]{0,40}=)/y;
const STARTS_NEXT_PARAMETER = charSet(' \\t,');

const SEMICOLONS = charSet(';');
const COMMAS = charSet(',');
const COOKIE_ATTRIBUTES = /(?:;[ \t]?[A-Za-z-]{4,12}(?:=(?:[A-Za-z]{3}, )?[^;,\r\n"']{0,512})?){1,12}/y;
const NEXT_COOKIE = /,[ \t]?(?=[^\s=;,"']{1,256}=)/y;

/** Returns the start of the credentials after a known scheme, or -1. */
export function afterScheme(text: Text, from: number): number {
  return endOfMatch(SCHEME, text, from, STARTS_SCHEME);
}

/** An unknown scheme, if only one more word follows on the line or in the string. */
const UNKNOWN_SCHEME = /[A-Za-z][\w-]{1,30}[ \t]{1,4}(?=[^\s"'`\\,;]{1,8192}(?:["'`\\]|[ \t]{0,8}[\r\n]|[ \t]{0,8}$))/y;

/**
 * Redacts the value of an Authorization header: the word or the list of parameters after a known scheme. Without a
 * known scheme it redacts the second word if there are only two, and otherwise the first word.
 * @returns where reading continues
 */
export function redactCredentials(text: Text, from: number, redact: RedactRange): number {
  const schemeEnd = afterScheme(text, from);
  const start = schemeEnd < 0 ? Math.max(from, endOfMatch(UNKNOWN_SCHEME, text, from, LETTER)) : schemeEnd;
  if (isPlaceholder(text, start)) return start + PLACEHOLDER.length;
  if (isExpression(text, start) || isConstantAt(text, start) || (schemeEnd >= 0 && looksLikeProse(text, start)))
    return start;
  const hasParameters = endOfMatch(HAS_PARAMETERS, text, start, LETTER) >= 0;
  const end = hasParameters ? endOfParameters(text, start) : endAtSpace(text, start);
  redact(start, end);
  return end;
}

function endOfParameters(text: Text, from: number): number {
  let end = from;
  for (let at = from; at >= 0; at = endOfMatch(NEXT_PARAMETER, text, end, STARTS_NEXT_PARAMETER)) {
    const next = endOfMatch(PARAMETER, text, at);
    if (next < 0) break;
    end = next;
  }
  return end;
}

const NAME = /[^\s=;,"']{1,256}=/y;

/** True if a cookie begins at `from`: `sid=`. */
export function startsCookie(text: Text, from: number): boolean {
  return endOfMatch(NAME, text, from) >= 0;
}

/** Redacts all cookies of a Cookie header. In Set-Cookie, the attributes stay (`Path`, `Expires`). */
export function redactCookies(text: Text, from: number, redact: RedactRange): number {
  let end = from;
  for (let at = from; at >= 0; at = endOfMatch(NEXT_COOKIE, text, end, COMMAS)) {
    end = endAtLine(text, at);
    redact(at, end);
    end = Math.max(end, endOfMatch(COOKIE_ATTRIBUTES, text, end, SEMICOLONS));
  }
  return end;
}

const BASE64 = /^[A-Za-z\d+/_-]{6,}={0,2}$/;
const PAIR = /^[\x20-\x7e]+:[^\x00-\x1f\ufffd]+$/;

/** True if the value is `user:password` in Base64. */
export function isEncodedPair(value: string): boolean {
  return BASE64.test(value) && PAIR.test(Buffer.from(value, 'base64').toString('utf8'));
}
