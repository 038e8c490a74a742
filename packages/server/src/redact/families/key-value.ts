import { codeAt, matchEnd, spacesEnd } from '../chars.js';
import { COMMA, OPENING_BRACE, OPENING_BRACKET } from '../codes.js';
import { type Hide, isPlaceholder, PLACEHOLDER } from '../scan.js';
import type { KeyKind } from '../secret-key.js';
import { endAtSpace } from './bare.js';
import { afterScheme, hideCookies, hideCredentials } from './credentials.js';
import { afterType, doubtfulQuote, isHarmless, isNumber, isProse } from './empty-values.js';
import { readQuoted } from './quoted.js';
import type { Reading } from './reading.js';
import type { Separator } from './separators.js';
import { hideYamlBlock } from './yaml-block.js';

const MAX_BRACED_CHARS = 4096;
const ODBC_BRACES = new RegExp(
  `\\{[^\\r\\n}]{0,${MAX_BRACED_CHARS}}(?:\\}\\}[^\\r\\n}]{0,${MAX_BRACED_CHARS}}){0,64}\\}`,
  'y',
);
const MAX_SPACES = 200;

export interface Place {
  readonly kind: Exclude<KeyKind, undefined>;
  /** Where the key begins. */
  readonly keyStart: number;
  readonly isKeyQuoted: boolean;
  readonly separator: Separator;
}

/** Hides the value at `from`, if there is one. @returns where reading goes on */
export function hideValue(reading: Reading, from: number, place: Place): number {
  const { text, hide } = reading;
  if (isPlaceholder(text, from)) return from + PLACEHOLDER.length;
  const assigned = place.separator === ':' ? afterType(text, from) : -1;
  if (assigned >= 0) return hideValue(reading, assigned, { ...place, separator: '=' });
  if (isEmpty(reading, from, place)) return from;
  const quoted = readQuoted(text, from);
  if (quoted) {
    hideInside(text, quoted.start, quoted.end, place.kind, hide);
    return quoted.next;
  }
  if (place.separator === '=') {
    const braced = bracedEnd(reading, from);
    if (braced >= 0) {
      hide(from + 1, braced - 1);
      return braced;
    }
  } else if (place.separator === ':') {
    const block = hideYamlBlock(text, from, place.keyStart, hide);
    if (block >= 0) return block;
    const opening = codeAt(text, from);
    if (opening === OPENING_BRACE) return from;
    if (opening === OPENING_BRACKET) return hideList(text, from, place, hide);
  }
  return hideBare(reading, from, place);
}

function isEmpty(reading: Reading, from: number, { isKeyQuoted, separator, keyStart }: Place): boolean {
  const { text } = reading;
  if (isHarmless(text, from)) return true;
  if (isKeyQuoted) return isNumber(text, from);
  if (separator !== '=') return isProse(text, from);
  const quote = doubtfulQuote(text, from);
  return quote !== undefined && reading.isQuoteOpen(quote, keyStart);
}

/** The end of an ODBC value in braces, or -1. */
function bracedEnd(reading: Reading, from: number): number {
  if (codeAt(reading.text, from) !== OPENING_BRACE) return -1;
  const closing = reading.next('}', from);
  const mayClose = closing - from <= MAX_BRACED_CHARS + 1 && closing < reading.endOfLine(from);
  return mayClose ? matchEnd(ODBC_BRACES, reading.text, from) : -1;
}

/** The strings of a list that holds nothing else. */
function hideList(text: string, from: number, place: Place, hide: Hide): number {
  let at = spacesEnd(text, from + 1, MAX_SPACES);
  for (;;) {
    const quoted = readQuoted(text, at);
    if (!quoted) return at;
    hideInside(text, quoted.start, quoted.end, place.kind, hide);
    const comma = spacesEnd(text, quoted.next, MAX_SPACES);
    if (codeAt(text, comma) !== COMMA) return quoted.next;
    at = spacesEnd(text, comma + 1, MAX_SPACES);
  }
}

/** Hides what is secret of a whole value: all of it, or what follows the Authorization scheme. */
export function hideInside(text: string, start: number, end: number, kind: Place['kind'], hide: Hide): void {
  const credentials = kind === 'authorization' ? afterScheme(text, start) : -1;
  hide(credentials >= 0 ? Math.min(credentials, end) : start, end);
}

function hideBare(reading: Reading, from: number, place: Place): number {
  const { text, hide, connectionStrings } = reading;
  if (place.kind === 'authorization') return hideCredentials(text, from, hide);
  if (place.kind === 'cookie' && place.separator === ':') return hideCookies(text, from, hide);
  const isMember = place.separator === '=' && connectionStrings.hasValueAt(from, place.keyStart);
  const end = isMember ? connectionStrings.endOfValue(from) : endAtSpace(text, from);
  hide(from, end);
  return end;
}
