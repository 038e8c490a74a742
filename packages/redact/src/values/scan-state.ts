import {
  AMPERSAND,
  CR,
  charSet,
  codeAt,
  codeBefore,
  endOfMatch,
  isBefore,
  LF,
  OPENING_PARENTHESIS,
  SEMICOLON,
  startOfRun,
} from '../scanning/chars.js';
import { LineCounter, NextOccurrence, RunStartFinder } from '../scanning/memoized-scan.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { CodeLines } from './code.js';
import { Members } from './name-value-pairs.js';
import { endAtSemicolon, trimTrailingPunctuation } from './unquoted.js';

const SPACE = charSet(' ');
const MAX_SPACES = 8;
const MAX_VALUE_CHARS = 128;
const MEMBER = /;[ \t]?[A-Za-z][\w .-]{0,40}=/y;
const ENTITY_CHARS = charSet('a-z\\d#');
const MAX_ENTITY_CHARS = 6;
const ENTITY = /&(?:amp|quot|lt|gt|apos|#\d{1,5});/y;

/** Recognises members of connection strings. If it is asked for ascending positions, it reads the text once. */
export class ConnectionStrings {
  readonly #semicolons: NextOccurrence;
  #semicolon = -1;
  #isBeforeMember = false;
  #from = -1;
  #stop = -1;

  constructor(private readonly text: Text) {
    this.#semicolons = new NextOccurrence(text, ';');
  }

  /**
   * True if the value at `from` belongs to a connection string, because its member follows another member
   * (`;Password=a b`) or precedes one (`Password=a b;Server=c`).
   */
  hasValueAt(from: number, keyStart: number): boolean {
    const before = startOfRun(this.text, keyStart, SPACE, MAX_SPACES);
    if (codeBefore(this.text, before) === SEMICOLON) return !endsEntity(this.text, before - 1);
    const semicolon = this.#semicolons.from(from);
    return semicolon - from < MAX_VALUE_CHARS && this.#isMemberAfter(semicolon) && this.#stopAfter(from) === semicolon;
  }

  endOfValue(from: number): number {
    const end = this.#stopAfter(from);
    return codeAt(this.text, end) === SEMICOLON ? end : trimTrailingPunctuation(this.text, from, end);
  }

  #isMemberAfter(semicolon: number): boolean {
    if (semicolon !== this.#semicolon) {
      this.#semicolon = semicolon;
      this.#isBeforeMember = endOfMatch(MEMBER, this.text, semicolon) >= 0 && !endsEntity(this.text, semicolon);
    }
    return this.#isBeforeMember;
  }

  #stopAfter(from: number): number {
    if (from < this.#from || from > this.#stop) {
      this.#from = from;
      this.#stop = endAtSemicolon(this.text, from);
    }
    return this.#stop;
  }
}

/** True if the semicolon ends an entity such as `&amp;`. */
function endsEntity(text: Text, semicolon: number): boolean {
  const start = startOfRun(text, semicolon, ENTITY_CHARS, MAX_ENTITY_CHARS);
  return codeBefore(text, start) === AMPERSAND && endOfMatch(ENTITY, text, start - 1) === semicolon + 1;
}

const KEY_CHARS = charSet('A-Za-z0-9_.-');
const MAX_KEY_CHARS = 100;
const MAX_LOOKBEHIND = 255;
const PARENTHESIS = charSet('()');
const MAX_OPEN_CHARS = 1000;

/** A text that is searched for values of keys, and the state of the search. */
export class ScanState {
  readonly codeLines: CodeLines;
  readonly connectionStrings: ConnectionStrings;
  readonly members: Members;
  /** The ends of the last header and of the last table. The text before them is not read as a header again. */
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

  /** Returns the start of the run of key characters that ends at `end`. */
  keyStart(end: number): number {
    return this.#keys.before(end);
  }

  /** True if a string in quotes with this code began before `at` on the same line, and has not ended. */
  isQuoteOpen(quote: number, at: number): boolean {
    this.#quotes[quote] ??= new LineCounter(this.text, quote, MAX_LOOKBEHIND);
    return this.#quotes[quote].before(at) % 2 === 1;
  }

  /** Returns the first position from `from` on of a character with this code; NOT_FOUND if there is none. */
  next(code: number, from: number): number {
    this.#next[code] ??= new NextOccurrence(this.text, String.fromCharCode(code));
    return this.#next[code].from(from);
  }

  /** Returns the position of the last parenthesis before `at` if it is an opening one, or -1. Positions must ascend. */
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

  /** Returns the end of the line; NOT_FOUND on the last line. */
  endOfLine(from: number): number {
    return Math.min(this.next(LF, from), this.next(CR, from));
  }
}
