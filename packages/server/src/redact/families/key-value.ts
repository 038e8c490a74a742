import { charSet, isIn, isLineBreak, matchAt, matchEnd } from '../chars.js';
import { type Hide, PLACEHOLDER } from '../scan.js';
import type { KeyKind } from '../secret-key.js';
import { endAtLine, endAtSemicolon, endAtSpace } from './bare.js';
import { readQuoted } from './quoted.js';
import { hideYamlBlock } from './yaml-block.js';

/** A scheme of an Authorization header, with the white space before its credentials. */
const SCHEME =
  /(?:apikey|api-key|aws|aws4-hmac-sha256|basic|bearer|bot|digest|dpop|geniekey|hawk|jwt|key|mac|negotiate|ntlm|oauth|scram-sha-(?:1|256)|sharedaccesssignature|sharedkey(?:lite)?|splunk|ssws|token|vapid)(?:[ \t]+|$|(?=["'\s]))/iy;

/** Parameters: `username="a b", realm=…`, `Credential=a/b, SignedHeaders=…`. */
const HAS_PARAMETERS = /[A-Za-z][\w-]{0,40}=(?:\\{0,64}"|[^\s,"']{1,1024},)/y;
const PARAMETER = /[A-Za-z][\w-]{0,40}=(?:\\{0,64}"[^"\r\n]{0,2048}"|[^\s,"']{0,2048})/y;
const NEXT_PARAMETER = /[ \t]{0,8},[ \t]{0,8}(?=[A-Za-z][\w-]{0,40}=)/y;

const COOKIE_ATTRIBUTES = /(?:;[ \t]?[A-Za-z-]{4,12}(?:=(?:[A-Za-z]{3}, )?[^;,\r\n"']{0,512})?){0,12}/y;
const NEXT_COOKIE = /,[ \t]?(?=[^\s=;,"']{1,256}=)/y;

const JSON_LITERAL = /(?:-?\d[\d.eE+-]{0,40}|true|false|null)(?=[\s,}\]]|$)/y;

/** Values that stand for no value, and the types of declarations. */
const HARMLESS =
  /(?:cancellationtoken|true|false|null|nil|none|undefined|default|new|string|str|number|boolean|bool|object|any|unknown|void)(?=$|[\s,;)}\]|?"'`\\])/iy;

const STARTS_HARMLESS = charSet('abcdfnostuvABCDFNOSTUV');

/** `password: string = "x"`. */
const TYPE_AND_ASSIGNMENT = /(?:string|str|any|unknown)[ \t]{0,8}=(?!=)[ \t]{0,8}/iy;

/** A sentence goes on: `password: must be longer`, `--token is required`. */
const PROSE =
  /(?:a|an|and|are|argument|can|cannot|does|expected|expects|flag|for|from|has|if|in|invalid|is|may|missing|must|needs|not|on|option|or|parameter|required|requires|should|the|to|was|when|with)[ \t]+[a-z'"[]/iy;

const STARTS_PROSE = charSet('acdefhimnoprstwACDEFHIMNOPRSTW');

/** A quote that may close the string around `Password=`, rather than open a value. */
const DOUBTFUL_QUOTE = /\\{0,64}(["'`])(?:$|[,}\])>\r\n])/y;
const STARTS_QUOTE = charSet('"\'`\\\\');
const MAX_LOOK_BACK = 256;
const OPENS = charSet('{[');
const ODBC_BRACES = /\{[^\r\n}]{0,4096}(?:\}\}[^\r\n}]{0,4096}){0,64}\}/y;
const OBJECT = /\{|\[(?![\s"'\\])/y;
const LIST_START = /\[\s{0,200}/y;
const LIST_COMMA = /\s{0,200},\s{0,200}/y;
const ENTITY_END = /&(?:amp|quot|lt|gt|apos|#\d{1,5});$/;
const MAX_CONNECTION_VALUE = 128;
const CONNECTION_MEMBER = /;[ \t]?[A-Za-z][\w .-]{0,40}=/y;

export interface Place {
  readonly kind: Exclude<KeyKind, undefined>;
  /** Where the key begins. */
  readonly keyStart: number;
  readonly isKeyQuoted: boolean;
  /** `=`, `:`, `=>` and the like; a space after an option. */
  readonly separator: string;
}

/** Hides the value at `from`, if there is one. @returns where reading goes on */
export function hideValue(text: string, from: number, place: Place, hide: Hide): number {
  if (text.startsWith(PLACEHOLDER, from)) return from + PLACEHOLDER.length;
  const assigned = place.separator === ':' ? matchEnd(TYPE_AND_ASSIGNMENT, text, from, STARTS_HARMLESS) : -1;
  if (assigned >= 0) return hideValue(text, assigned, { ...place, separator: '=' }, hide);
  if (isEmpty(text, from, place)) return from;
  const quoted = readQuoted(text, from);
  if (quoted) {
    hideInside(text, quoted.start, quoted.end, place.kind, hide);
    return quoted.next;
  }
  if (place.separator === '=') {
    const braced = matchEnd(ODBC_BRACES, text, from, OPENS);
    if (braced >= 0) {
      hide(from + 1, braced - 1);
      return braced;
    }
  } else if (place.separator === ':') {
    const block = hideYamlBlock(text, from, place.keyStart, hide);
    if (block >= 0) return block;
    if (text[from] === '[') return hideList(text, from, place, hide);
    if (matchEnd(OBJECT, text, from, OPENS) >= 0) return from;
  }
  return hideBare(text, from, place, hide);
}

function isEmpty(text: string, from: number, place: Place): boolean {
  if (matchEnd(HARMLESS, text, from, STARTS_HARMLESS) >= 0) return true;
  if (place.isKeyQuoted) return matchEnd(JSON_LITERAL, text, from) >= 0;
  return place.separator === '='
    ? isStringEnd(text, from, place.keyStart)
    : matchEnd(PROSE, text, from, STARTS_PROSE) >= 0;
}

/** Whether the quote at `from` closes a string that began before the key, on the same line. */
function isStringEnd(text: string, from: number, keyStart: number): boolean {
  if (!isIn(text, from, STARTS_QUOTE)) return false;
  const quote = matchAt(DOUBTFUL_QUOTE, text, from)?.[1];
  if (!quote) return false;
  const quoteCode = quote.charCodeAt(0);
  const floor = Math.max(0, keyStart - MAX_LOOK_BACK + 1);
  let isOpen = false;
  for (let at = keyStart - 1; at >= floor; at--) {
    const code = text.charCodeAt(at);
    if (code === quoteCode) isOpen = !isOpen;
    else if (isLineBreak(code)) break;
  }
  return isOpen;
}

/** The strings of a list that holds nothing else. */
function hideList(text: string, from: number, place: Place, hide: Hide): number {
  let at = matchEnd(LIST_START, text, from);
  while (at >= 0) {
    const quoted = readQuoted(text, at);
    if (!quoted) return at;
    hideInside(text, quoted.start, quoted.end, place.kind, hide);
    at = matchEnd(LIST_COMMA, text, quoted.next);
    if (at < 0) return quoted.next;
  }
  return from;
}

/** Hides what is secret of a whole value: all of it, or what follows the Authorization scheme. */
export function hideInside(text: string, start: number, end: number, kind: Place['kind'], hide: Hide): void {
  const afterScheme = kind === 'authorization' ? matchEnd(SCHEME, text, start) : -1;
  hide(afterScheme >= 0 ? Math.min(afterScheme, end) : start, end);
}

function hideBare(text: string, from: number, place: Place, hide: Hide): number {
  if (place.kind === 'authorization') return hideCredentials(text, from, hide);
  if (place.kind === 'cookie' && place.separator === ':') return hideCookies(text, from, hide);
  const isMember = place.separator === '=' && isInConnectionString(text, from, place.keyStart);
  const end = isMember ? endAtSemicolon(text, from) : endAtSpace(text, from);
  hide(from, end);
  return end;
}

/** All cookies of a Cookie header; in Set-Cookie the attributes stay (`Path`, `Expires`). */
function hideCookies(text: string, from: number, hide: Hide): number {
  let end = from;
  for (let at = from; at >= 0; at = matchEnd(NEXT_COOKIE, text, end)) {
    end = endAtLine(text, at);
    hide(at, end);
    end = matchEnd(COOKIE_ATTRIBUTES, text, end);
  }
  return end;
}

/** After another member (`;Password=a b`), or before one (`Password=a b;Server=c`). */
function isInConnectionString(text: string, from: number, keyStart: number): boolean {
  let before = keyStart;
  while (before > 0 && keyStart - before < 8 && text[before - 1] === ' ') before--;
  if (text[before - 1] === ';') return !endsEntity(text, before);
  const semicolon = from + text.slice(from, from + MAX_CONNECTION_VALUE).indexOf(';');
  if (semicolon < from || endsEntity(text, semicolon + 1)) return false;
  return matchEnd(CONNECTION_MEMBER, text, semicolon) >= 0 && endAtSemicolon(text, from) === semicolon;
}

/** Whether the semicolon before `at` belongs to `&amp;` and the like. */
function endsEntity(text: string, at: number): boolean {
  return ENTITY_END.test(text.slice(Math.max(0, at - 8), at));
}

/** After a known scheme one credential or a list of parameters; without one, all of the line. */
function hideCredentials(text: string, from: number, hide: Hide): number {
  const start = matchEnd(SCHEME, text, from);
  if (start < 0) {
    const end = endAtLine(text, from);
    hide(from, end);
    return end;
  }
  if (text.startsWith(PLACEHOLDER, start)) return start + PLACEHOLDER.length;
  const end = matchEnd(HAS_PARAMETERS, text, start) >= 0 ? endOfParameters(text, start) : endAtSpace(text, start);
  hide(start, end);
  return end;
}

function endOfParameters(text: string, from: number): number {
  let end = from;
  for (let at = from; at >= 0; at = matchEnd(NEXT_PARAMETER, text, end)) {
    const next = matchEnd(PARAMETER, text, at);
    if (next < 0) break;
    end = next;
  }
  return end;
}
