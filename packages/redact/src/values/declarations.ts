import {
  BACKTICK,
  BLANK,
  CLOSING_BRACKET,
  COLON,
  charSet,
  codeAt,
  codeBefore,
  DASH,
  EQUALS,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  isLineBreak,
  isSpace,
  LESS_THAN,
  LETTER,
  OPENING_BRACE,
  SLASH,
  SPACE,
  spacesEnd,
  startOfRun,
  startsWithAt,
  UNDERSCORE,
} from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import { type Key, separatorEnd, separatorIn, type ValueContext } from './key.js';
import { redactByForm } from './match-form.js';
import { type Member, namingMember } from './name-value-pairs.js';
import { afterType } from './non-secret-values.js';
import { afterQuote } from './quoted.js';
import { redactValueAt } from './redact-value-at.js';
import type { ScanState } from './scan-state.js';
import { redactContent, tagEnd } from './xml-content.js';
import { redactYamlBelow } from './yaml-below.js';

/**
 * Redacts a value that follows its key in a certain way.
 *
 * @param quoteEnd the end of the quote that closes the key; the end of the key if it is not in quotes
 * @returns where reading continues, or -1 if the value does not follow in this way
 */
type Form = (state: ScanState, key: Key, quoteEnd: number) => number;

const STRING_QUOTE = charSet('"\'');
const QUESTION_MARK = charSet('?');

const IS_OPTION = /--?(?!(?:ask|no|prompt|prompt-for|skip|without)-)[A-Za-z]/y;
const STARTS_OPTION_VALUE = charSet(' \\t"\'\\\\');
const OPTION_VALUE =
  /(?:[ \t]+|\\{0,64}["'],\s{0,20}(?=\\{0,64}["']))(?!--[A-Za-z]|-(?:[A-Za-z]|[a-z_]{2,20})(?:[\s=]|$)|(?<=[ \t]{2})[A-Za-z]{2,20}[ \t]{2,8}[A-Za-z]|options?\s|<[\w -]{1,60}>|[A-Za-z]\]|\[[\w<> -]{1,60}\]|[|&;](?:[\s|&]|$)|$)/y;

/** The prefix of a source from which openssl reads a password. */
const PASS_SOURCE = /(?:pass|env|file|fd):|stdin\b/y;

const PREFIX_CHARS = charSet('A-Za-z0-9_.-');
const MAX_PREFIX_CHARS = 40;
const MAX_TAG_CHARS = 500;
const MAX_ATTRIBUTES_CHARS = 200;
const MAX_SPACES = 100;
const VALUE_TAG = '<value>';
/** The characters that can follow a name that is the value of a member, besides white space. */
const FOLLOWS_NAME = charSet('"\'\\\\&,}');
const BEFORE_TAG = charSet('<:');
/** A key that ends in `s` can have a list or mapping below it even if other text begins its line (`INF passwords:`). */
const PLURAL = charSet('sS');
/** The character after a shell variable and a colon: `${TOKEN:-x}`. */
const DEFAULT_SIGNS = charSet('?+=-');
const EMPHASIS = charSet('*_~');
const PHRASE_CHARS = charSet('A-Za-z0-9 .-');
const YAML_INDENT = charSet(' \\t-');
const OPENS_JSON = charSet('"\'{[');
/** The beginning of the comment below a function of Python: `def load() -> "PrivateKey":`. */
const DOCSTRING = '"""';
const STARTS_LINE = charSet(' \\t\\r\\n');
/** The elements in which .NET documents a parameter: `<param name="token">The token.</param>`. */
const DOCUMENTATION_TAG = /(?:type)?param(?=\s)/y;
const TYPE_CHARS = charSet('\\w.[\\]');
const OPENS_FIELD = charSet(':@');
/** The field in which Python documents a parameter: `:param str token: The token.` */
const DOCUMENTATION_FIELD = /(?<=[:@](?:arg|keyword|param|type|var)(?: [\w.[\]]{1,40})? )/y;
const TAG_CHARS = charSet('\\w:.-');

/** `key=value`, `key: value`, `"key": "value"`, `key => value`, `map["key"] = value`, `key: string = "value"`. */
const pair: Form = (state, key, quoteEnd) => {
  const { text } = state;
  const isKeyQuoted = quoteEnd > key.end;
  if (isKeyQuoted && isOperand(text, key.start)) return -1;
  let start = key.end;
  if (codeAt(text, start) !== EQUALS) {
    const typed = isKeyQuoted ? -1 : afterType(text, key.end);
    if (typed >= 0) return redactValueAt(state, typed, { key, separator: '=', isKeyQuoted: false });
    start = operatorStart(text, quoteEnd, isKeyQuoted);
  }
  const end = separatorEnd(text, start);
  if (end < 0) return -1;
  const context: ValueContext = { key, separator: separatorIn(text, start, end), isKeyQuoted };
  if (isIn(text, end, EMPHASIS) && isEmphasised(text, key.start)) return -1;
  if (isIn(text, end, DEFAULT_SIGNS) && codeBefore(text, key.start) === OPENING_BRACE) return -1;
  if (codeAt(text, end) === LESS_THAN && codeAt(text, end + 1) === SLASH) return -1;
  const from = endOfRun(text, end, BLANK);
  if (context.separator === ':' && isDocumented(text, key.start)) return from;
  if (!isLineBreak(codeAt(text, from))) return redactValueAt(state, from, context);
  const isAlone = isKeyQuoted || context.separator === '=' || startsYamlLine(text, key.start);
  if (!isAlone && context.separator === ':' && isBefore(text, key.end, PLURAL))
    return Math.max(from, redactYamlBelow(text, from, key.start, state.redact, true));
  const value = isAlone ? onNextLine(text, from, isKeyQuoted) : from;
  const mayBeYaml = isAlone && !isKeyQuoted && context.separator === ':';
  return isLineBreak(codeAt(text, value)) && !mayBeYaml ? value : redactValueAt(state, value, context);
};

/** True if the string is an operand of `?` and not a key: `isBot ? 'token' : 'session'`. */
function isOperand(text: Text, keyStart: number): boolean {
  return (
    isBefore(text, keyStart, STRING_QUOTE) &&
    isBefore(text, startOfRun(text, keyStart - 1, BLANK, MAX_SPACES), QUESTION_MARK)
  );
}

/** True if the key is the name of a parameter in a documentation comment. */
function isDocumented(text: Text, keyStart: number): boolean {
  if (codeBefore(text, keyStart) !== SPACE) return false;
  let word = startOfRun(text, keyStart - 1, TYPE_CHARS, MAX_PREFIX_CHARS);
  if (codeBefore(text, word) === SPACE) word = startOfRun(text, word - 1, LETTER, MAX_PREFIX_CHARS);
  return isBefore(text, word, OPENS_FIELD) && endOfMatch(DOCUMENTATION_FIELD, text, keyStart) >= 0;
}

/** True if the key is emphasised in Markdown. The emphasis can end after the separator: `**Password:** x`. */
function isEmphasised(text: Text, keyStart: number): boolean {
  const start = startOfRun(text, keyStart, PHRASE_CHARS, MAX_PREFIX_CHARS);
  return isBefore(text, start, EMPHASIS) || codeAt(text, keyStart) === UNDERSCORE;
}

/** Returns the position of the operator: skips closing brackets, blanks and, in JSON, a line break. */
function operatorStart(text: Text, quoteEnd: number, isKeyQuoted: boolean): number {
  const bracketEnd = codeAt(text, quoteEnd) === CLOSING_BRACKET ? afterQuote(text, quoteEnd + 1) : quoteEnd;
  const operator = endOfRun(text, bracketEnd, BLANK);
  if (!isKeyQuoted || codeBefore(text, quoteEnd) === BACKTICK || !isLineBreak(codeAt(text, operator))) return operator;
  const next = spacesEnd(text, operator, MAX_SPACES);
  return codeAt(text, next) === COLON ? next : operator;
}

/** True if only indentation and dashes are before the key on its line. */
function startsYamlLine(text: Text, keyStart: number): boolean {
  const start = startOfRun(text, keyStart, YAML_INDENT, MAX_SPACES);
  return start === 0 || isLineBreak(codeBefore(text, start));
}

/** Returns the start of a value on a later line if it is in quotes or, in JSON, an object or list; otherwise `from`. */
function onNextLine(text: Text, from: number, isKeyQuoted: boolean): number {
  const next = spacesEnd(text, from, MAX_SPACES);
  if (isKeyQuoted && startsWithAt(text, next, DOCSTRING)) return from;
  return isIn(text, next, isKeyQuoted ? OPENS_JSON : STRING_QUOTE) && isBefore(text, next, STARTS_LINE) ? next : from;
}

/** `--key value`, `-Key value`, `"--key", "value"`. */
const option: Form = (state, key) => {
  const { text } = state;
  if (codeAt(text, key.start) !== DASH || !isIn(text, key.end, STARTS_OPTION_VALUE)) return -1;
  const from = endOfMatch(IS_OPTION, text, key.start) < 0 ? -1 : endOfMatch(OPTION_VALUE, text, key.end);
  if (from < 0 || (key.traits.isWeak && endOfMatch(PASS_SOURCE, text, from) >= 0)) return -1;
  return redactValueAt(state, from, { key, separator: 'space', isKeyQuoted: false });
};

/** `<Key>value</Key>`. */
const element: Form = (state, key) => {
  const { text } = state;
  const start = tagStart(text, key.start);
  const end = start < 0 ? -1 : tagEnd(state, key.end, MAX_TAG_CHARS);
  if (end < 0 || codeBefore(text, end) === SLASH) return -1;
  return redactContent(state, afterSpaces(text, end + 1), { start, end: key.end }, key.kind);
};

/** Returns the start of the tag's name, which is the key or its namespace prefix; or -1 if the key is not in a tag. */
function tagStart(text: Text, keyStart: number): number {
  if (codeBefore(text, keyStart) === LESS_THAN) return keyStart;
  if (codeBefore(text, keyStart) !== COLON) return -1;
  const prefix = startOfRun(text, keyStart - 1, PREFIX_CHARS, MAX_PREFIX_CHARS);
  return prefix < keyStart - 1 && codeBefore(text, prefix) === LESS_THAN ? prefix : -1;
}

/** `<Key value="value"/>`. */
const elementWithValue: Form = (state, key) => {
  const { text } = state;
  if (!isSpace(text, key.end) || tagStart(text, key.start) < 0) return -1;
  const member = state.members.valueAfter(key.end);
  return member ? redactMember(state, member, key) : -1;
};

/** `name="Key" value="value"`, `{"value": "value", "name": "Key"}`, `<entry key="Key">value</entry>`. */
const named: Form = (state, key, quoteEnd) => {
  const { text } = state;
  if (!isIn(text, key.end, FOLLOWS_NAME) && !isSpace(text, key.end) && key.end < text.length) return -1;
  const naming = namingMember(text, key.start);
  if (!naming) return -1;
  const member = state.members.valueOf(quoteEnd, naming.keyStart);
  if (member) return redactMember(state, member, key);
  return isIn(text, key.end, STRING_QUOTE) ? redactElement(state, key, naming.keyStart) : -1;
};

function redactMember(state: ScanState, { operator, value }: Member, key: Key): number {
  const separator = codeAt(state.text, operator) === EQUALS ? '=' : ':';
  return Math.max(key.end, redactValueAt(state, value, { key, separator, isKeyQuoted: true }));
}

/** Redacts the text of the element with the attribute that contains the key, or the text of its child `<value>`. */
function redactElement(state: ScanState, key: Key, attributeStart: number): number {
  const { text } = state;
  const end = tagEnd(state, key.end + 1, MAX_ATTRIBUTES_CHARS);
  if (end < 0 || codeBefore(text, end) === SLASH) return -1;
  const child = spacesEnd(text, end + 1, MAX_SPACES);
  if (codeAt(text, child) === LESS_THAN && startsWithAt(text, child, VALUE_TAG)) {
    const tag = { start: child + 1, end: child + VALUE_TAG.length - 1 };
    return redactContent(state, spacesEnd(text, tag.end + 1, MAX_SPACES), tag, key.kind);
  }
  const start = text.string.lastIndexOf('<', attributeStart) + 1;
  const tag = { start, end: endOfRun(text, start, TAG_CHARS) };
  const isDocumentation = endOfMatch(DOCUMENTATION_TAG, text, start) >= 0;
  if (attributeStart - start > MAX_ATTRIBUTES_CHARS || isDocumentation) return -1;
  return redactContent(state, child, tag, key.kind);
}

/** Redacts the value of a key. @returns where reading continues after the value, or -1 if no value follows the key */
export function redactValueOf(state: ScanState, key: Key): number {
  const { text } = state;
  const quoteEnd = afterQuote(text, key.end);
  let next = pair(state, key, quoteEnd);
  if (next < 0 && codeAt(text, key.start) === DASH) next = option(state, key, quoteEnd);
  if (next < 0 && isBefore(text, key.start, BEFORE_TAG)) next = inTag(state, key, quoteEnd);
  if (next < 0) next = named(state, key, quoteEnd);
  return next < 0 ? redactByForm(state, key) : next;
}

const inTag: Form = (state, key, quoteEnd) => {
  const next = element(state, key, quoteEnd);
  return next < 0 ? elementWithValue(state, key, quoteEnd) : next;
};

function afterSpaces(text: Text, from: number): number {
  let at = from;
  while (isSpace(text, at)) at++;
  return at;
}
