import { charSet, LETTER, matchEnd } from '../chars.js';
import { type Hide, isPlaceholder, PLACEHOLDER } from '../scan.js';
import { endAtLine, endAtSpace } from './bare.js';

/** A scheme of an Authorization header, with the white space before its credentials. */
const SCHEME =
  /(?:apikey|api-key|aws|aws4-hmac-sha256|basic|bearer|bot|digest|dpop|geniekey|hawk|jwt|key|mac|negotiate|ntlm|oauth|scram-sha-(?:1|256)|sharedaccesssignature|sharedkey(?:lite)?|splunk|ssws|token|vapid)(?:[ \t]+|$|(?=["'\s]))/iy;
const STARTS_SCHEME = charSet('abdghjkmnostvABDGHJKMNOSTV');

/** Parameters: `username="a b", realm=…`, `Credential=a/b, SignedHeaders=…`. */
const HAS_PARAMETERS = /[A-Za-z][\w-]{0,40}=(?:\\{0,64}"|[^\s,"']{1,1024},)/y;
const PARAMETER = /[A-Za-z][\w-]{0,40}=(?:\\{0,64}"[^"\r\n]{0,2048}"|[^\s,"']{0,2048})/y;
const NEXT_PARAMETER = /[ \t]{0,8},[ \t]{0,8}(?=[A-Za-z][\w-]{0,40}=)/y;
const MAY_GO_ON = charSet(' \\t,');

const SEMICOLONS = charSet(';');
const COMMAS = charSet(',');
const COOKIE_ATTRIBUTES = /(?:;[ \t]?[A-Za-z-]{4,12}(?:=(?:[A-Za-z]{3}, )?[^;,\r\n"']{0,512})?){1,12}/y;
const NEXT_COOKIE = /,[ \t]?(?=[^\s=;,"']{1,256}=)/y;

/** Where credentials begin after a known scheme, or -1. */
export function afterScheme(text: string, from: number): number {
  return matchEnd(SCHEME, text, from, STARTS_SCHEME);
}

/** Hides, after a known scheme, one credential or a list of parameters; without one, all of the line. */
export function hideCredentials(text: string, from: number, hide: Hide): number {
  const start = afterScheme(text, from);
  if (start < 0) {
    const end = endAtLine(text, from);
    hide(from, end);
    return end;
  }
  if (isPlaceholder(text, start)) return start + PLACEHOLDER.length;
  const hasParameters = matchEnd(HAS_PARAMETERS, text, start, LETTER) >= 0;
  const end = hasParameters ? endOfParameters(text, start) : endAtSpace(text, start);
  hide(start, end);
  return end;
}

function endOfParameters(text: string, from: number): number {
  let end = from;
  for (let at = from; at >= 0; at = matchEnd(NEXT_PARAMETER, text, end, MAY_GO_ON)) {
    const next = matchEnd(PARAMETER, text, at);
    if (next < 0) break;
    end = next;
  }
  return end;
}

/** Hides all cookies of a Cookie header; in Set-Cookie the attributes stay (`Path`, `Expires`). */
export function hideCookies(text: string, from: number, hide: Hide): number {
  let end = from;
  for (let at = from; at >= 0; at = matchEnd(NEXT_COOKIE, text, end, COMMAS)) {
    end = endAtLine(text, at);
    hide(at, end);
    end = Math.max(end, matchEnd(COOKIE_ATTRIBUTES, text, end, SEMICOLONS));
  }
  return end;
}
