import { charSet, codeAt, codeBefore, endOfMatch, startOfRun } from '../scanning/chars.js';
import { AMPERSAND, SEMICOLON } from '../scanning/codes.js';
import { NextOccurrence } from '../scanning/memoized-scan.js';
import type { Text } from '../scanning/text.js';
import { trimTrailingPunctuation } from './trailing-punctuation.js';
import { endAtSemicolon } from './unquoted.js';

const SPACE = charSet(' ');
const MAX_SPACES = 8;
const MAX_VALUE_CHARS = 128;
const MEMBER = /;[ \t]?[A-Za-z][\w .-]{0,40}=/y;
const ENTITY_CHARS = charSet('a-z\\d#');
const MAX_ENTITY_CHARS = 6;
const ENTITY = /&(?:amp|quot|lt|gt|apos|#\d{1,5});/y;

/** The members of connection strings in a text. Asked for places in rising order, it reads the text once. */
export class ConnectionStrings {
  readonly #semicolons: NextOccurrence;
  #semicolon = -1;
  #isBeforeMember = false;
  #from = -1;
  #stop = -1;

  constructor(private readonly text: Text) {
    this.#semicolons = new NextOccurrence(text, ';');
  }

  /** Whether the value at `from` is a member's: after another (`;Password=a b`), or before one (`Password=a b;Server=c`). */
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

/** Whether the semicolon belongs to `&amp;` and the like. */
function endsEntity(text: Text, semicolon: number): boolean {
  const start = startOfRun(text, semicolon, ENTITY_CHARS, MAX_ENTITY_CHARS);
  return codeBefore(text, start) === AMPERSAND && endOfMatch(ENTITY, text, start - 1) === semicolon + 1;
}
