import { PLACEHOLDER } from '../placeholder.js';
import {
  BACKTICK,
  BLANK,
  CLOSING_BRACE,
  COMMA,
  charSet,
  codeAt,
  EQUALS,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  isLineBreak,
  isSpace,
  LETTER,
  OPENING_BRACE,
  OPENING_BRACKET,
  spacesEnd,
} from '../scanning/chars.js';
import { backslashesEnd } from '../scanning/escapes.js';
import { isPlaceholder, type RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isExpression, isFunctionOrCall, isTypeMember, isTypeUse } from './code.js';
import { afterScheme, redactCookies, redactCredentials, startsCookie } from './credentials.js';
import { mayHoldLiteral, redactInExpression } from './expressions.js';
import { redactJsonBelow } from './json-below.js';
import type { ValueContext } from './key.js';
import { redactInside } from './literals.js';
import { isNameAt } from './names.js';
import { isMessage, isNoValue } from './non-secret-strings.js';
import {
  doubtfulQuote,
  isCount,
  isJoinedToColon,
  isNotSecret,
  isNumber,
  isPath,
  isSentence,
  isStandIn,
  isVersion,
  looksLikeProse,
} from './non-secret-values.js';
import { parseQuoted, STARTS_OPENER } from './quoted.js';
import type { ScanState } from './scan-state.js';
import { endAtSpace, isEscapedLineBreak } from './unquoted.js';
import { redactYamlBelow, redactYamlBlock } from './yaml-below.js';

const MAX_BRACED_CHARS = 4096;
const ODBC_BRACES = new RegExp(
  `\\{[^\\r\\n}]{0,${MAX_BRACED_CHARS}}(?:\\}\\}[^\\r\\n}]{0,${MAX_BRACED_CHARS}}){0,64}\\}`,
  'y',
);
/** What is in braces and not ODBC: `{{ x }}`, `${{ x }}`, `{password!r}`, `{...}`. */
const BRACED_EXPRESSION = /[{$]\{[^}\r\n]{0,200}\}{1,2}|\{(?:[A-Za-z_][\w.]{0,40}![ars]|\.{3})\}/y;
const BRACES = charSet('{$');
const MAX_SPACES = 200;
const LINE_ESCAPES = charSet('nr');
const CONTINUES = charSet('\\\\`');
/** Anchors and tags, except for the functions of CloudFormation. */
const YAML_PROPERTIES =
  /(?:(?:&[^\s,[\]{}]{1,60}|!(?!Ref|GetAtt|Sub|ImportValue|Join|Select|FindInMap)[^\s,[\]{}]{0,60})(?:[ \t]{1,8}(?=[^\s,;])|(?=\r?\n))){1,3}/y;
/** The beginning of a media type: `"application/timestamp-token": {`. */
const MEDIA_TYPE = /(?<=["'](?:application|audio|font|image|message|model|multipart|text|video)\/)/y;
const STARTS_PROPERTIES = charSet('&!');
/** The first characters of a structure in YAML or JSON, and of YAML properties before it. */
const STARTS_STRUCTURE = charSet('&!|>{[\\r\\n');
const LAST_OF_TOKEN = charSet('nN');
const OPENS_BLOCK = charSet('{[(');

/** Redacts the value at `from`, if there is one. @returns where reading continues */
export function redactValueAt(state: ScanState, from: number, context: ValueContext): number {
  const { text, redact } = state;
  if (isPlaceholder(text, from)) return from + PLACEHOLDER.length;
  if (isEscapedLineBreak(text, from)) return from;
  if (mayHoldLiteral(text, from)) {
    const next = redactInExpression(state, from, context.key);
    if (next >= 0) return next;
  }
  // Only a block of YAML can begin at a line break.
  if (!isLineBreak(codeAt(text, from))) {
    if (isEmpty(state, from, context)) return from;
    const quoted = isIn(text, from, STARTS_OPENER) ? parseQuoted(text, from) : undefined;
    if (quoted) {
      if (!isNoValue(text, quoted, context)) redactInside(text, quoted.start, quoted.end, context.key.kind, redact);
      return quoted.next;
    }
  }
  if (context.separator === '=') {
    if (endOfMatch(BRACED_EXPRESSION, text, from, BRACES) >= 0) return from;
    const braced = bracedEnd(state, from);
    if (braced >= 0) {
      redact(from + 1, braced - 1);
      return braced;
    }
  } else if (context.separator === ':' && isIn(text, from, STARTS_STRUCTURE)) {
    const next = redactStructure(state, from, context);
    if (next >= 0) return next;
  }
  // An unquoted operand of `===` is an expression. After a plural key, only unambiguous values are redacted.
  return context.key.isPlural || context.separator === '===' ? from : redactUnquoted(state, from, context);
}

/**
 * Redacts a block, line or mapping of YAML, or an object or list of JSON.
 * @returns where reading continues, or -1 if there is no such structure
 */
function redactStructure({ text, redact }: ScanState, from: number, context: ValueContext): number {
  const properties = context.isKeyQuoted ? -1 : endOfMatch(YAML_PROPERTIES, text, from, STARTS_PROPERTIES);
  const start = Math.max(from, properties);
  const block = redactYamlBlock(text, start, context.key.start, redact);
  if (block >= 0) return block;
  if (isLineBreak(codeAt(text, start)))
    return context.isKeyQuoted ? -1 : redactYamlBelow(text, start, context.key.start, redact);
  const opening = codeAt(text, start);
  if (opening !== OPENING_BRACE && opening !== OPENING_BRACKET) {
    if (properties < 0) return -1;
    const quoted = parseQuoted(text, start);
    const end = quoted?.end ?? endAtSpace(text, start);
    if (!isNotSecret(text, start)) redact(quoted?.start ?? start, end);
    return quoted?.next ?? end;
  }
  if (context.isKeyQuoted && endOfMatch(MEDIA_TYPE, text, context.key.start) >= 0) return start;
  if (context.isKeyQuoted && context.key.kind === 'secret') {
    const isPublic = (from: number, end: number) =>
      isStandIn(text, from, end) || isMessage(text, from, end, context.key);
    return redactJsonBelow(text, start, redact, isPublic);
  }
  return opening === OPENING_BRACE ? start : redactList(text, start, context, redact);
}

/** The characters other than letters with which a text that is not a value can begin. */
const MAY_BE_EMPTY = charSet('\\d~^"\'[(`\\\\-');

function isEmpty(state: ScanState, from: number, context: ValueContext): boolean {
  const { text } = state;
  if (isIn(text, from, LETTER)) return isEmptyWord(text, from, context);
  return isIn(text, from, MAY_BE_EMPTY) && isEmptyMark(state, from, context);
}

/** True if the word at `from` means that there is no value, or begins a sentence. */
function isEmptyWord(text: Text, from: number, { key, isKeyQuoted, separator }: ValueContext): boolean {
  if (isNotSecret(text, from) || isJoinedToColon(text, from, key.start)) return true;
  if (isLink(text, from, key.end)) return true;
  if ((isKeyQuoted && codeAt(text, key.end) !== BACKTICK) || separator === '=') return false;
  return looksLikeProse(text, from) || (key.traits.occursInProse && isSentence(text, from));
}

/** The end of a link's name in Markdown and reStructuredText, and its address. */
const LINK = /[\]`]: https?:\/\//y;

/** True if the key is the name of a link: `[user credentials]: https://example.com`. */
function isLink(text: Text, from: number, keyEnd: number): boolean {
  return from === keyEnd + ']: '.length && endOfMatch(LINK, text, keyEnd) >= 0;
}

/** True if the number or punctuation at `from` is not a value. */
function isEmptyMark(state: ScanState, from: number, { key, isKeyQuoted, separator }: ValueContext): boolean {
  const { text } = state;
  if (isVersion(text, from)) return true;
  if (isKeyQuoted) return isNumber(text, from);
  if (isContinued(text, from) || isCount(text, from)) return true;
  if (separator !== '=' && separator !== ':') return false;
  const quote = doubtfulQuote(text, from);
  return quote !== undefined && state.isQuoteOpen(quote, key.start);
}

/** True if the line ends here with a backslash or backtick, and the value is on the next line. */
function isContinued(text: Text, from: number): boolean {
  if (!isIn(text, from, CONTINUES)) return false;
  const next = backslashesEnd(text, from + 1);
  return isLineBreak(codeAt(text, from + 1)) || (next > from + 1 && isIn(text, next, LINE_ESCAPES));
}

/** The name of a test after `PASS:`. */
const TEST_NAME = /(?:[A-Za-z]\w{0,80}(?:[.:/]{1,2}[A-Z]\w{0,80}){1,10}|[Tt]est_\w{1,80})(?=[\s("'\\<]|$)/y;

/** True for a number, a path, or the name of a test. */
function isWeakValue(text: Text, from: number): boolean {
  return isNumber(text, from) || isPath(text, from) || endOfMatch(TEST_NAME, text, from, LETTER) >= 0;
}

/** The last words of keys whose value is a credential, and never a token of a lexer. */
const CREDENTIAL =
  /(?:access|api|auth|bearer|bot|deploy|id|identity|refresh|registry|security|session|user)[_.-]?token$/i;
const MAX_CREDENTIAL_CHARS = 16;

/** True for a type that is assigned to the token of a lexer: `token = Keyword.Type`, `if token == Whitespace`. */
function isAssignedType(text: Text, from: number, { key, separator }: ValueContext): boolean {
  if (!key.traits.isCompared || !isBefore(text, key.end, LAST_OF_TOKEN)) return false;
  if (CREDENTIAL.test(text.string.slice(Math.max(0, key.end - MAX_CREDENTIAL_CHARS), key.end))) return false;
  if (!isIn(text, key.end, BLANK) || codeAt(text, endOfRun(text, key.end, BLANK)) !== EQUALS)
    return isTypeUse(text, from);
  return separator !== 'space' && isTypeMember(text, from, isBefore(text, key.start, BLANK));
}

/** True if a bracket at `from` opens a block, with white space after it: `token = {`, `token => { return …`. */
function opensBlock(text: Text, from: number): boolean {
  const next = from + 1;
  if (!isIn(text, from, OPENS_BLOCK)) return false;
  return next >= text.length || isSpace(text, next) || isEscapedLineBreak(text, next);
}

/** Returns the end of an ODBC value in braces, or -1. */
function bracedEnd(state: ScanState, from: number): number {
  if (codeAt(state.text, from) !== OPENING_BRACE || opensBlock(state.text, from)) return -1;
  const closing = state.next(CLOSING_BRACE, from);
  const mayClose = closing - from <= MAX_BRACED_CHARS + 1 && closing < state.endOfLine(from);
  return mayClose ? endOfMatch(ODBC_BRACES, state.text, from) : -1;
}

/** Redacts the strings with which a list begins. */
function redactList(text: Text, from: number, context: ValueContext, redact: RedactRange): number {
  let at = spacesEnd(text, from + 1, MAX_SPACES);
  for (;;) {
    const quoted = parseQuoted(text, at);
    if (!quoted) return at;
    if (!isNoValue(text, quoted, context)) redactInside(text, quoted.start, quoted.end, context.key.kind, redact);
    const comma = spacesEnd(text, quoted.next, MAX_SPACES);
    if (codeAt(text, comma) !== COMMA) return quoted.next;
    at = spacesEnd(text, comma + 1, MAX_SPACES);
  }
}

const VARIABLE = /[A-Za-z_$]{1,40}(?=(?:\s|\\{1,4}[nrt]){0,100}[,}])/y;

/** True for a variable as the value of a header in code: `{'Authorization': auth, 'Cookie': cookies}`. */
function isHeaderVariable(text: Text, from: number, { key, isKeyQuoted }: ValueContext): boolean {
  return (
    isKeyQuoted && (key.kind === 'authorization' || key.kind === 'cookie') && endOfMatch(VARIABLE, text, from) >= 0
  );
}

function redactUnquoted(state: ScanState, from: number, context: ValueContext): number {
  const { text, redact, connectionStrings } = state;
  if (context.key.kind === 'cookie' && context.separator === ':' && startsCookie(text, from))
    return redactCookies(text, from, redact);
  if (opensBlock(text, from)) return from;
  if (isHeaderVariable(text, from, context)) return from;
  if (context.key.kind === 'authorization' && afterScheme(text, from) >= 0)
    return redactCredentials(text, from, redact);
  const isMember =
    context.separator === '=' && connectionStrings.hasValueAt(from, context.key.start) && !isFunctionOrCall(text, from);
  if (!isMember && (isExpression(text, from) || state.codeLines.hasNameAt(from, context.key.start, context.key.end)))
    return from;
  if (context.key.kind === 'authorization') return redactCredentials(text, from, redact);
  if (context.key.traits.isWeak && isWeakValue(text, from)) return from;
  if (!isMember && isNameAt(text, from, context.key)) return from;
  if (!isMember && isAssignedType(text, from, context)) return from;
  const end = isMember ? connectionStrings.endOfValue(from) : endAtSpace(text, from);
  if (end > from) redactInside(text, from, end, context.key.kind, redact);
  return end;
}
