/** Membership of the ASCII characters in a set; characters beyond ASCII are in none. */
export type CharSet = Uint8Array;

/** @param members the inside of a regular expression's brackets: `A-Za-z0-9_` */
export function charSet(members: string): CharSet {
  const member = new RegExp(`[${members}]`);
  return Uint8Array.from({ length: 128 }, (_, code) => (member.test(String.fromCharCode(code)) ? 1 : 0));
}

export function isIn(text: string, at: number, set: CharSet): boolean {
  const code = text.charCodeAt(at);
  // Reading past the end of the set, or at NaN, takes several times as long.
  return code < set.length && set[code] === 1;
}

/** The end of the run of `set` that starts at `from`. */
export function runEnd(text: string, from: number, set: CharSet): number {
  let at = from;
  while (at < text.length && isIn(text, at, set)) at++;
  return at;
}

/** The start of the run of `set` that ends at `end`; looks back at most `limit` characters. */
export function runStart(text: string, end: number, set: CharSet, limit: number): number {
  const floor = Math.max(0, end - limit);
  let at = end;
  while (at > floor && isIn(text, at - 1, set)) at--;
  return at;
}

/** The match of a sticky pattern at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * The end of the sticky pattern's match at `at`, or -1.
 *
 * @param first what a match begins with; where something else stands, the pattern, which costs much more, is not asked
 */
export function matchEnd(pattern: RegExp, text: string, at: number, first?: CharSet): number {
  if (first && !isIn(text, at, first)) return -1;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) at++;
  return at;
}

export function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

const ALPHANUMERIC = charSet('A-Za-z0-9');
const ESCAPE_BEFORE = /(?:\\[abfnrtv]|\\u[0-9a-f]{4}|%[0-9a-f]{2})$/i;

/** Whether a word may start here: after no letter or digit, or after an escape such as `\n`, `\u0022`, `%3D`. */
export function startsWord(text: string, at: number): boolean {
  return at === 0 || !isIn(text, at - 1, ALPHANUMERIC) || ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 6), at));
}

const OPENS_ESCAPE = charSet('\\\\%');
const ESCAPE_AT_START = /^(?:\\[nrt]|\\u[0-9a-f]{4}|%[0-9a-f]{2})/i;

/** Where a word that was read back to `start` really begins: after an escape whose letters it took in, if one ends by `limit`. */
export function afterEscape(text: string, start: number, limit: number): number {
  const escaped = isIn(text, start - 1, OPENS_ESCAPE) ? ESCAPE_AT_START.exec(text.slice(start - 1, limit)) : null;
  return escaped ? start - 1 + escaped[0].length : start;
}
