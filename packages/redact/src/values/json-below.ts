import { COLON, COMMA, charSet, codeAt, endOfRun, isIn, isSpace } from '../scanning/chars.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isValueKeyIn, namesValueIn } from './name-value-pairs.js';
import { keyKindIn } from './secret-key.js';

/**
 * An object or list that has not been closed, and its strings that are secret unless it turns out to be a description.
 */
interface Frame {
  readonly isList: boolean;
  /** True if its strings are below a secret key. */
  readonly isSecret: boolean;
  /** True if a member shows that the object is a JSON Schema or a package. */
  isDescription: boolean;
  /** True if a `type` shows the same, which only counts in an object without a value. */
  isTyped: boolean;
  /** If the frame is a list of types: the object whose `type` it is. */
  readonly typedObject: Frame | undefined;
  /** The spans of its strings. */
  readonly strings: number[];
  /** The spans of strings that name the value of another member. They are not secret if there is such a member. */
  readonly names: number[];
  /** True if the object has a member for the value that another member names. */
  hasValue: boolean;
  /** The key of the member that is being read; -1 if there is none yet. */
  keyStart: number;
  keyEnd: number;
}

const MAX_DEPTH = 200;
const OPENERS = charSet('{[');
const TRAILING_PUNCTUATION = charSet('}\\]');
const LITERAL = charSet('A-Za-z0-9+.-');
const DOUBLE_QUOTE = 0x22;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const MAX_DESCRIBING_CHARS = 17;
/** Types of JSON Schema, and of packages in NuGet's packages.lock.json and project.assets.json. */
const DESCRIBING_TYPE =
  /^(?:array|boolean|integer|null|number|object|string|CentralTransitive|Direct|Package|Project|Transitive)$/;
/** Keys of JSON Schema, and of packages in the lock files of NuGet, npm and pnpm. */
const DESCRIBING_KEY = /^(?:\$ref|enum|const|contentHash|integrity|resolved|specifier)$/;

/** True if a member with this name shows that an object is a JSON Schema or a package, whose strings are public. */
export function isDescribingKey(key: string): boolean {
  return DESCRIBING_KEY.test(key);
}

/** True if a `type` or `target` with this value shows that an object is a JSON Schema or a package. */
export function isDescribingType(key: string, value: string): boolean {
  return (key === 'type' || key === 'target') && DESCRIBING_TYPE.test(value);
}

/**
 * Redacts the strings of the JSON object or list at `from`, which is under a secret key, at any depth. In a JSON Schema
 * or a package, only strings under secret keys of their own are redacted. Reading ends at text that is not JSON.
 *
 * @param isPublic true for strings that are not secret unless they are under a secret key of their own
 * @returns where reading continues
 */
export function redactJsonBelow(
  text: Text,
  from: number,
  redact: RedactRange,
  isPublic: (start: number, end: number) => boolean,
): number {
  const open: Frame[] = [];
  const redactUnlessPublic: RedactRange = (start, end) => {
    if (!isPublic(start, end)) redact(start, end);
  };
  const close = (frame: Frame | undefined) => {
    if (!frame || describes(frame)) return;
    redactAll(frame.strings, redactUnlessPublic);
    if (!frame.hasValue) redactAll(frame.names, redactUnlessPublic);
  };
  let at = from;
  /** True if the last token was a value or a key, so that only punctuation can follow. */
  let isAfterValue = false;
  do {
    const frame = open.at(-1);
    if (isIn(text, at, OPENERS)) {
      const needsKey = frame !== undefined && !frame.isList && frame.keyStart < 0;
      if (isAfterValue || needsKey || open.length === MAX_DEPTH) break;
      open.push(frameAt(text, at, frame));
      at++;
    } else if (isIn(text, at, TRAILING_PUNCTUATION)) {
      close(open.pop());
      isAfterValue = true;
      at++;
    } else if (codeAt(text, at) === DOUBLE_QUOTE) {
      const end = isAfterValue ? -1 : stringEnd(text, at + 1);
      if (end < 0) break;
      isAfterValue = true;
      parseString(text, frame!, at + 1, end, redact);
      at = end + 1;
    } else if (codeAt(text, at) === COMMA || codeAt(text, at) === COLON) {
      if (codeAt(text, at) === COMMA && !frame!.isList) frame!.keyStart = -1;
      isAfterValue = false;
      at++;
    } else if (isIn(text, at, LITERAL)) {
      if (isAfterValue) break;
      at = endOfRun(text, at, LITERAL);
      isAfterValue = true;
    } else if (isSpace(text, at)) {
      at++;
    } else {
      break;
    }
  } while (open.length > 0 && at < text.length);
  while (open.length > 0) close(open.pop());
  return at;
}

function redactAll(spans: readonly number[], redact: RedactRange): void {
  for (let index = 0; index < spans.length; index += 2) redact(spans[index]!, spans[index + 1]!);
}

function frameAt(text: Text, at: number, parent: Frame | undefined): Frame {
  const isList = codeAt(text, at) === OPENING_BRACKET;
  const isSecret = parent ? isSecretBelow(text, parent) : true;
  const typedObject = parent && isList && keyOf(text, parent) === 'type' ? parent : undefined;
  return {
    isList,
    isSecret,
    typedObject,
    isDescription: false,
    isTyped: false,
    strings: [],
    names: [],
    hasValue: false,
    keyStart: -1,
    keyEnd: -1,
  };
}

/** Returns the key of the member that is being read; an empty string if it is too long to be `type` or `target`. */
function keyOf(text: Text, { keyStart, keyEnd }: Frame): string {
  return keyEnd - keyStart <= 'target'.length ? text.string.slice(keyStart, keyEnd) : '';
}

/** True if an object or list that begins now in the frame is below a secret key. */
function isSecretBelow(text: Text, frame: Frame): boolean {
  return (frame.isSecret && (!describes(frame) || isUnderValueKey(text, frame))) || isUnderSecretKey(text, frame);
}

function describes({ isDescription, isTyped, hasValue }: Frame): boolean {
  return isDescription || (isTyped && !hasValue);
}

function isUnderValueKey(text: Text, { isDescription, keyStart, keyEnd }: Frame): boolean {
  return !isDescription && keyStart >= 0 && isValueKeyIn(text, keyStart, keyEnd);
}

function isUnderSecretKey(text: Text, { keyStart, keyEnd }: Frame): boolean {
  return keyStart >= 0 && keyKindIn(text, keyStart, keyEnd) === 'secret';
}

function parseString(text: Text, frame: Frame, start: number, end: number, redact: RedactRange): void {
  if (!frame.isList && frame.keyStart < 0) {
    frame.keyStart = start;
    frame.keyEnd = end;
    if (isValueKeyIn(text, start, end)) frame.hasValue = true;
    if (end - start <= MAX_DESCRIBING_CHARS && isDescribingKey(text.string.slice(start, end)))
      frame.isDescription = true;
    return;
  }
  const typedObject = frame.typedObject ?? frame;
  if (
    end - start <= MAX_DESCRIBING_CHARS &&
    isDescribingType(keyOf(text, typedObject), text.string.slice(start, end))
  ) {
    typedObject.isTyped = true;
    frame.isTyped = true;
    return;
  }
  if (isUnderSecretKey(text, frame)) redact(start, end);
  else if (frame.isSecret) (isName(text, frame) ? frame.names : frame.strings).push(start, end);
}

function isName(text: Text, { isList, keyStart, keyEnd }: Frame): boolean {
  return !isList && namesValueIn(text, keyStart, keyEnd);
}

function stringEnd(text: Text, from: number): number {
  for (let at = text.string.indexOf('"', from); at >= 0; at = text.string.indexOf('"', at + 1)) {
    let backslashesStart = at;
    while (backslashesStart > from && text.codes[backslashesStart - 1] === BACKSLASH) backslashesStart--;
    if ((at - backslashesStart) % 2 === 0) return at;
  }
  return -1;
}
