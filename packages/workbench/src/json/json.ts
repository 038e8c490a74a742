// The page does not use lossless-json, which also keeps all digits: unlike JSON.parse, that package rejects duplicate
// members, and its errors have no lines and columns.

/** A number whose digits a double cannot hold. It is shown and sent with exactly these digits. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Thrown if a text is not JSON. The message names the line and the column of the fault. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  constructor(message: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    super(`${message} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

export function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ONLY_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Parses a number in the syntax of JSON. @returns undefined for any other text */
export function parseNumber(text: string): number | ExactNumber | undefined {
  if (!ONLY_NUMBER.test(text)) return undefined;
  const value = Number(text);
  return isExact(text, value) ? value : new ExactNumber(text);
}

function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (Object.is(value, -0)) return false;
  const digits = significantDigits(text);
  return digits.length <= 15 ? digits === '' || value !== 0 : digits === significantDigits(String(value));
}

function significantDigits(text: string): string {
  return text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');
}

/** Matches texts with numbers that a double may not hold. All other texts are left to JSON.parse, which is faster. */
const MAYBE_INEXACT = /\d{16}|\d\.?\d*[eE]|-0|\d*\.\d{15}/;

/**
 * Parses JSON and keeps all digits of its numbers.
 * @throws JsonSyntaxError if the text is not JSON
 */
export function parseJson(text: string): Json {
  if (!MAYBE_INEXACT.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // The parser below reports the fault with its line and column.
    }
  }
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Json {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail('Unexpected text after the value');
    return value;
  }

  #value(): Json {
    this.#space();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case undefined:
        return this.#fail('The value is missing');
      default:
        return this.#word();
    }
  }

  #object(): Json {
    this.#at += 1;
    const members: [string, Json][] = [];
    if (this.#take('}')) return {};
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail('A member needs a name in double quotes');
      const name = this.#string();
      if (!this.#take(':')) this.#fail('A colon is missing after the name');
      members.push([name, this.#value()]);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('A comma or } is missing');
    return Object.fromEntries(members);
  }

  #array(): Json {
    this.#at += 1;
    const items: Json[] = [];
    if (this.#take(']')) return items;
    do items.push(this.#value());
    while (this.#take(','));
    if (!this.#take(']')) this.#fail('A comma or ] is missing');
    return items;
  }

  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === '\\') at += 1;
      else if (char === '"') {
        this.#at = at + 1;
        try {
          return JSON.parse(this.#text.slice(start, at + 1)) as string;
        } catch {
          this.#at = start;
          this.#fail('The text has an invalid escape or a line break');
        }
      }
    }
    return this.#fail('The text has no closing quote');
  }

  #word(): Json {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number === undefined) return this.#fail('This is not a JSON value');
    this.#at += number.length;
    return parseNumber(number)!;
  }

  #take(char: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? '.')) this.#at += 1;
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#text, this.#at);
  }
}

const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Writes JSON with all digits of each {@link ExactNumber}. Members that are undefined are omitted.
 * @param indent spaces per level; 0 writes everything on one line
 */
export function writeJson(value: unknown, indent = 0, depth = 0): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) {
    return brackets(
      '[]',
      value.map((item) => writeJson(item === undefined ? null : item, indent, depth + 1)),
      indent,
      depth,
    );
  }
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const separator = indent > 0 ? ': ' : ':';
    return brackets(
      '{}',
      members.map(([name, member]) => JSON.stringify(name) + separator + writeJson(member, indent, depth + 1)),
      indent,
      depth,
    );
  }
  return JSON.stringify(value) ?? 'null';
}

function brackets([open, close]: string | readonly string[], parts: string[], indent: number, depth: number): string {
  if (parts.length === 0) return `${open}${close}`;
  if (indent === 0) return `${open}${parts.join(',')}${close}`;
  const outer = `\n${' '.repeat(indent * depth)}`;
  const inner = `${outer}${' '.repeat(indent)}`;
  return `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`;
}

/** Replaces each {@link ExactNumber} by the nearest double, for code that calculates with the value. */
export function withDoubles(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]));
}

/** Compares two JSON values. The order of members does not matter, and numbers are compared as text. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return numberText(a) === numberText(b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const namesInA = Object.keys(a).filter((name) => a[name] !== undefined);
  const namesInB = Object.keys(b).filter((name) => b[name] !== undefined);
  return (
    namesInA.length === namesInB.length &&
    namesInA.every((name) => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
  );
}

export function numberText(value: number | ExactNumber): string {
  return value instanceof ExactNumber ? value.text : JSON.stringify(value);
}

/** Writes a path as a JSON Pointer (RFC 6901). */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
