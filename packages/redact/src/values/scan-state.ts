import { charSet } from '../scanning/chars.js';
import { CR, LF } from '../scanning/codes.js';
import { LineCounter, NextOccurrence, RunStartFinder } from '../scanning/memoized-scan.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { CodeLines } from './code.js';
import { ConnectionStrings } from './connection-strings.js';
import { Members } from './name-value-pairs.js';

const KEY_CHARS = charSet('A-Za-z0-9_.-');
const MAX_KEY_CHARS = 100;
const MAX_LOOKBEHIND = 255;

/** A text that is read for values under keys, with what is known of the places read so far. */
export class ScanState {
  readonly codeLines: CodeLines;
  readonly connectionStrings: ConnectionStrings;
  readonly members: Members;
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

  /** Where the line ends, or NOT_FOUND on the last one. */
  endOfLine(from: number): number {
    return Math.min(this.next(LF, from), this.next(CR, from));
  }
}
