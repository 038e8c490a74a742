import { isLineBreak, matchEnd } from '../chars.js';
import { AFTER_CLOSING_QUOTE } from './quoted.js';

/** Where a value without quotes ends, given where it starts. */
export type BareEnd = (text: string, from: number) => number;

type Stops = Readonly<Record<string, ((text: string, at: number) => boolean) | undefined>>;

/** The next member of a list, a query or a connection string: `,b=`, `&b=`, `&amp;b=`, `; User Id=`, `,"b":`. */
const NEXT_MEMBER =
  /,\s?\\{0,64}["'{]|(?:&(?:amp;)?|,|;|\\{1,64}u0026)[ \t]?[A-Za-z_][\w.[\]-]{0,60}(?: [A-Za-z]{1,20}){0,2}[ \t]?=(?!=)/y;
const NEXT_OPTION = / --?[A-Za-z]/y;
const ESCAPED_QUOTE = /\\{1,64}(?:["'`]|u0022|u0027)/y;
const ESCAPED_LINE_BREAK = /\\{1,64}[rn]/y;

/** `\n` before a small letter may also be part of a path or a password. */
const AFTER_ESCAPED_LINE_BREAK = /$|[^a-z\d]|[\w.-]{1,60}[ \t]?[=:]/y;
const AFTER_HEADER = /$|[\s,)}\]"'\\]/y;
const WHITE_SPACE = /\s/;

const isWhiteSpace = (text: string, at: number) => WHITE_SPACE.test(text[at]!);
const isLineEnd = (text: string, at: number) => isLineBreak(text.charCodeAt(at));
const isNextMember = (text: string, at: number) => matchEnd(NEXT_MEMBER, text, at) >= 0;
const isClosingQuote = (text: string, at: number) => matchEnd(AFTER_CLOSING_QUOTE, text, at + 1) >= 0;
const isClosingEscape = (text: string, at: number) => {
  const afterQuote = matchEnd(ESCAPED_QUOTE, text, at);
  if (afterQuote >= 0) return matchEnd(AFTER_CLOSING_QUOTE, text, afterQuote) >= 0;
  const afterBreak = matchEnd(ESCAPED_LINE_BREAK, text, at);
  return afterBreak >= 0 && matchEnd(AFTER_ESCAPED_LINE_BREAK, text, afterBreak) >= 0;
};
const isQuoteAfterHeader = (text: string, at: number) => matchEnd(AFTER_HEADER, text, at + 1) >= 0;

const QUOTE_STOPS: Stops = { '"': isClosingQuote, "'": isClosingQuote, '`': isClosingQuote, '\\': isClosingEscape };
const VALUE_STOPS: Stops = {
  ...QUOTE_STOPS,
  '\\': (text, at) => isClosingEscape(text, at) || isNextMember(text, at),
  ',': isNextMember,
  ';': isNextMember,
  '&': isNextMember,
  '<': (text, at) => text[at + 1] === '/',
};
const CONNECTION_STOPS: Stops = {
  ...QUOTE_STOPS,
  ';': () => true,
  '&': (text, at) => text.startsWith('&quot;', at),
  ' ': (text, at) => matchEnd(NEXT_OPTION, text, at) >= 0,
};
const HEADER_STOPS: Stops = {
  '"': isQuoteAfterHeader,
  "'": isQuoteAfterHeader,
  '\\': (text, at) => matchEnd(ESCAPED_LINE_BREAK, text, at) >= 0 || matchEnd(ESCAPED_QUOTE, text, at) >= 0,
};

/** To white space, the closing quote of the string around it, the next member, or a closing tag. */
export const endAtSpace: BareEnd = (text, from) =>
  withoutClosers(text, from, readUntil(text, from, isWhiteSpace, VALUE_STOPS));

/** To `;`, the closing quote around the connection string, an option after it, or the line's end. */
export const endAtSemicolon: BareEnd = (text, from) => {
  const end = readUntil(text, from, isLineEnd, CONNECTION_STOPS);
  return text[end] === ';' ? end : withoutClosers(text, from, end);
};

/** To the line's end, or the closing quote around the header. */
export const endAtLine: BareEnd = (text, from) =>
  withoutClosers(text, from, readUntil(text, from, isLineEnd, HEADER_STOPS));

function readUntil(text: string, from: number, isEnd: (text: string, at: number) => boolean, stops: Stops): number {
  let at = from;
  while (at < text.length && !isEnd(text, at) && !stops[text[at]!]?.(text, at)) {
    at++;
    if (text[at - 1] === '\\') while (text[at] === '\\') at++;
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

/** Leaves what belongs to the text around the value: `(password=x),`. */
function withoutClosers(text: string, from: number, end: number): number {
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
