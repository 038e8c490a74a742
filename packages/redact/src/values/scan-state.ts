import { charSet, codeBefore, isBefore } from '../scanning/chars.js';
import { CR, LF, OPENING_PARENTHESIS } from '../scanning/codes.js';
import { LineCounter, NextOccurrence, RunStartFinder } from '../scanning/memoized-scan.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { CodeLines } from './code.js';
import { ConnectionStrings } from './connection-strings.js';
import { Members } from './name-value-pairs.js';

const KEY_CHARS = charSet('A-Za-z0-9_.-');
const MAX_KEY_CHARS = 100;
const MAX_LOOKBEHIND = 255;
const PARENTHESIS = charSet('()');
const MAX_OPEN_CHARS = 1000;

/** A text that is read for values under keys, with what is known of the places read so far. */
export class ScanState {
  readonly codeLines: CodeLines;
  readonly connectionStrings: ConnectionStrings;
  readonly members: Members;
  /** Where the header that was read last ends, and the rows of the last table: neither is read as a header again. */
  headerEnd = -1;
  tableEnd = -1;
  #openingFrom = 0;
  #opening = -1;
  readonly #keys: RunStartFinder;
  readonly #quotes: LineCounter[] = [];
  readonly #next: NextOccurrence[] = [];

  constructor(
    readonly text: Text,
    readonly redact: RedactRange,
  ) {
    this.codeLines = new CodeLines(text);
    this.members = new Members(text);
    this.connectionStrings = new ConnectionStrings(text);
    this.#keys = new RunStartFinder(text, KEY_CHARS, MAX_KEY_CHARS);
  }

  /** Where the characters of a key begin that continue to `end`. */
  keyStart(end: number): number {
    return this.#keys.before(end);
  }

  /** Whether a string in such quotes is open at a place, on the same line. */
  isQuoteOpen(quote: number, at: number): boolean {
    this.#quotes[quote] ??= new LineCounter(this.text, quote, MAX_LOOKBEHIND);
    return this.#quotes[quote].before(at) % 2 === 1;
  }

  /** The first position from `from` on of a character with this code; NOT_FOUND if there is none. */
  next(code: number, from: number): number {
    this.#next[code] ??= new NextOccurrence(this.text, String.fromCharCode(code));
    return this.#next[code].from(from);
  }

  /** The parenthesis that is open before a place, with none that closes it between them; or -1. Asked for places in rising order. */
  openingBefore(at: number): number {
    const floor = Math.max(this.#openingFrom, at - MAX_OPEN_CHARS);
    let from = at;
    while (from > floor && !isBefore(this.text, from, PARENTHESIS)) from--;
    const isFound = from > floor;
    if (isFound) this.#opening = codeBefore(this.text, from) === OPENING_PARENTHESIS ? from - 1 : -1;
    else if (floor > this.#openingFrom) this.#opening = -1;
    this.#openingFrom = at;
    return this.#opening;
  }

  /** Where the line ends, or NOT_FOUND on the last one. */
  endOfLine(from: number): number {
    return Math.min(this.next(LF, from), this.next(CR, from));
  }
}
