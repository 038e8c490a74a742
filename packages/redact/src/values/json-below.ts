import { COLON, COMMA, charSet, codeAt, endOfRun, isIn, isSpace } from '../scanning/chars.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isValueKeyIn, namesValueIn } from './name-value-pairs.js';
import { keyKindIn } from './secret-key.js';

/** An object or list that is open, and the strings in it that are secret unless it describes something. */
interface Frame {
  readonly isList: boolean;
  readonly isSecret: boolean;
  /** Whether a member shows that it is a JSON Schema or a package; a `type` alone does so only in an object without a value. */
  isDescription: boolean;
  isTyped: boolean;
  /** The object whose `type` the list is. */
  readonly typed: Frame | undefined;
  /** Starts and ends, by turns. */
  readonly found: number[];
  /** Those of members that name the value of another one: they stay if there is one. */
  readonly names: number[];
  hasValue: boolean;
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
/** Types in JSON Schema, and in the packages that NuGet writes into packages.lock.json and project.assets.json. */
const DESCRIBING_TYPE =
  /^(?:array|boolean|integer|null|number|object|string|CentralTransitive|Direct|Package|Project|Transitive)$/;
/** Keys in JSON Schema, and in packages in the lock files of NuGet, npm and pnpm. */
const DESCRIBING_KEY = /^(?:\$ref|enum|const|contentHash|integrity|resolved|specifier)$/;

/** Whether a member of this name shows that an object is a JSON Schema or a package. Its strings are public. */
export function isDescribingKey(key: string): boolean {
  return DESCRIBING_KEY.test(key);
}

/** Whether `type` or `target` with this value does so. */
export function isDescribingType(key: string, value: string): boolean {
  return (key === 'type' || key === 'target') && DESCRIBING_TYPE.test(value);
}

/**
 * Hides the strings of the JSON object or list at `from`, which is under a secret key, at any depth; those of an object that is a
 * JSON Schema stay, but for the ones under secret keys of their own. Text that is not JSON ends it.
 *
 * @returns where reading continues
 */
export function redactJsonBelow(text: Text, from: number, redact: RedactRange): number {
  const open: Frame[] = [];
  const close = (frame: Frame | undefined) => {
    if (!frame || describes(frame)) return;
    redactAll(frame.found, redact);
    if (!frame.hasValue) redactAll(frame.names, redact);
  };
  let at = from;
  /** Whether a value or key ended, after which a sign must come. */
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

function frameAt(text: Text, at: number, around: Frame | undefined): Frame {
  const isList = codeAt(text, at) === OPENING_BRACKET;
  const isSecret = around ? isSecretBelow(text, around) : true;
  const typed = around && isList && keyOf(text, around) === 'type' ? around : undefined;
  return {
    isList,
    isSecret,
    typed,
    isDescription: false,
    isTyped: false,
    found: [],
    names: [],
    hasValue: false,
    keyStart: -1,
    keyEnd: -1,
  };
}

/** The key of the member that is being read, if it is short. */
function keyOf(text: Text, { keyStart, keyEnd }: Frame): string {
  return keyEnd - keyStart <= 'target'.length ? text.string.slice(keyStart, keyEnd) : '';
}

/** Whether what begins in a frame now is below a secret key. */
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
  const typed = frame.typed ?? frame;
  if (end - start <= MAX_DESCRIBING_CHARS && isDescribingType(keyOf(text, typed), text.string.slice(start, end))) {
    typed.isTyped = true;
    frame.isTyped = true;
    return;
  }
  if (isUnderSecretKey(text, frame)) redact(start, end);
  else if (frame.isSecret) (isName(text, frame) ? frame.names : frame.found).push(start, end);
}

function isName(text: Text, { isList, keyStart, keyEnd }: Frame): boolean {
  return !isList && namesValueIn(text, keyStart, keyEnd);
}

function stringEnd(text: Text, from: number): number {
  for (let at = text.string.indexOf('"', from); at >= 0; at = text.string.indexOf('"', at + 1)) {
    let slashes = at;
    while (slashes > from && text.codes[slashes - 1] === BACKSLASH) slashes--;
    if ((at - slashes) % 2 === 0) return at;
  }
  return -1;
}
