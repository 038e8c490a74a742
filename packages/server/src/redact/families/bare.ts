import { charSet, isIn, matchEnd } from '../chars.js';
import { AFTER_CLOSING_QUOTE } from './quoted.js';

/** Where a value without quotes ends, given where it starts. */
export type BareEnd = (text: string, from: number) => number;

/** Whether the value ends at a character. */
type Stop = (text: string, at: number) => boolean;

/** By character code; other characters are part of the value. */
type Stops = readonly (Stop | undefined)[];

/** The next member of a list, a query or a connection string: `,b=`, `&b=`, `&amp;b=`, `; User Id=`, `,"b":`. */
const KEY = '(?:[A-Za-z_]|\\[REDACTED\\])[\\w.[\\]-]{0,60}';
const NEXT_MEMBER = new RegExp(
  `,\\s?\\\\{0,64}["'{]|(?:[,;][ \\t]?${KEY}(?: [A-Za-z]{1,20}){0,2}|(?:&(?:amp;)?|\\\\{1,64}u0026)${KEY})[ \\t]?=(?!=)`,
  'y',
);
const NEXT_OPTION = / --?[A-Za-z]/y;
const ESCAPED_QUOTE = /\\{1,64}(?:["'`]|u0022|u0027)/y;
const ESCAPED_LINE_BREAK = /\\{1,64}[rn]/y;

/** `\n` before a small letter may also be part of a path or a password. */
const AFTER_ESCAPED_LINE_BREAK = /$|[^a-z\d]|[\w.-]{1,60}[ \t]?[=:]/y;
const AFTER_HEADER = /$|[\s,)}\]"'\\]/y;
/** After the name and value in Set-Cookie. */
const COOKIE_ATTRIBUTE =
  /;\s?(?:domain|expires|httponly|max-age|partitioned|path|priority|samesite|secure)(?=[\s;=,"']|$)/iy;
const WHITE_SPACE = /\s/;
const BACKSLASH = 0x5c;

const always: Stop = () => true;
const isWhiteSpace: Stop = (text, at) => WHITE_SPACE.test(text[at]!);
const isNextMember: Stop = (text, at) => matchEnd(NEXT_MEMBER, text, at) >= 0;
const isClosingQuote: Stop = (text, at) => matchEnd(AFTER_CLOSING_QUOTE, text, at + 1) >= 0;
const isClosingEscape: Stop = (text, at) => {
  const afterQuote = matchEnd(ESCAPED_QUOTE, text, at);
  if (afterQuote >= 0) return matchEnd(AFTER_CLOSING_QUOTE, text, afterQuote) >= 0;
  const afterBreak = matchEnd(ESCAPED_LINE_BREAK, text, at);
  return afterBreak >= 0 && matchEnd(AFTER_ESCAPED_LINE_BREAK, text, afterBreak) >= 0;
};
const isQuoteAfterHeader: Stop = (text, at) => matchEnd(AFTER_HEADER, text, at + 1) >= 0;

const LINE_BREAKS = { '\n': always, '\r': always };
const QUOTES = { '"': isClosingQuote, "'": isClosingQuote, '`': isClosingQuote };

const VALUE_STOPS = stopsOf({
  ...QUOTES,
  ...LINE_BREAKS,
  ' ': always,
  '\t': always,
  '\\': (text, at) => isClosingEscape(text, at) || isNextMember(text, at),
  ',': isNextMember,
  ';': isNextMember,
  '&': isNextMember,
  '<': (text, at) => text[at + 1] === '/',
});
const CONNECTION_STOPS = stopsOf({
  ...QUOTES,
  ...LINE_BREAKS,
  '\\': isClosingEscape,
  ';': always,
  '&': (text, at) => text.startsWith('&quot;', at),
  ' ': (text, at) => matchEnd(NEXT_OPTION, text, at) >= 0,
});
const HEADER_STOPS = stopsOf({
  ...LINE_BREAKS,
  '"': isQuoteAfterHeader,
  "'": isQuoteAfterHeader,
  ';': (text, at) => matchEnd(COOKIE_ATTRIBUTE, text, at) >= 0,
  '\\': (text, at) => matchEnd(ESCAPED_LINE_BREAK, text, at) >= 0 || matchEnd(ESCAPED_QUOTE, text, at) >= 0,
});

function stopsOf(byChar: Readonly<Record<string, Stop>>): Stops {
  return Array.from({ length: 128 }, (_, code) => byChar[String.fromCharCode(code)]);
}

/** To white space, the closing quote of the string around it, the next member, or a closing tag. */
export const endAtSpace: BareEnd = (text, from) =>
  withoutClosers(text, from, readUntil(text, from, VALUE_STOPS, isWhiteSpace));

/** To `;`, the closing quote around the connection string, an option after it, or the line's end. */
export const endAtSemicolon: BareEnd = (text, from) => {
  const end = readUntil(text, from, CONNECTION_STOPS);
  return text[end] === ';' ? end : withoutClosers(text, from, end);
};

/** To the line's end, the closing quote around the header, or the attributes of a cookie. */
export const endAtLine: BareEnd = (text, from) => withoutClosers(text, from, readUntil(text, from, HEADER_STOPS));

/** @param beyondAscii whether a character beyond ASCII ends the value */
function readUntil(text: string, from: number, stops: Stops, beyondAscii?: Stop): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const stop = code < 128 ? stops[code] : beyondAscii;
    if (stop?.(text, at)) break;
    at++;
    if (code === BACKSLASH) while (text.charCodeAt(at) === BACKSLASH) at++;
  }
  return at;
}

/** What opens each mark that may close something around the value; marks without one always belong around it. */
const OPENS: Readonly<Record<string, string | undefined>> = {
  ')': '(',
  '}': '{',
  ']': '[',
  '>': '<',
  ...Object.fromEntries([...',;"\'` \t'].map((mark) => [mark, ''])),
};

const CLOSERS = charSet('\\])}>,;"\'` \t');

/** Leaves what belongs to the text around the value: `(password=x),`. */
function withoutClosers(text: string, from: number, end: number): number {
  if (!isIn(text, end - 1, CLOSERS)) return end;
  const value = text.slice(from, end);
  const opened = new Map<string, boolean>();
  let length = value.length;
  while (length > 0) {
    const opener = OPENS[value[length - 1]!];
    if (opener === undefined) break;
    if (opener) {
      if (!opened.has(opener)) opened.set(opener, value.includes(opener));
      if (opened.get(opener)) break;
    }
    length--;
    if (/["'`]/.test(value[length]!)) while (length > 0 && value[length - 1] === '\\') length--;
  }
  return from + length;
}
