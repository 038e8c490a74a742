import {
  BLANK,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  charSet,
  codeAt,
  codeBefore,
  DIGIT,
  EQUALS,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  LETTER,
  lowerCode,
  OPENING_PARENTHESIS,
  startOfRun,
  UNDERSCORE,
  wordPattern,
} from '../scanning/chars.js';
import { BEYOND_ASCII, type Text } from '../scanning/text.js';
import { CALL, CALL_AFTER_OPERATOR, MEMBERS, MINIFIED, patternOf, SIGN_FORMS } from './code-forms.js';
import { keyKindIn } from './secret-key.js';

/** Recognises values in program code that are expressions and not secrets. */

const FORM = patternOf(SIGN_FORMS);
const STARTS_FORM = charSet('$%{<*.#(/!&[q\\\\CGINR-');
STARTS_FORM[BEYOND_ASCII] = 1;

const OPERATORS = wordPattern('async await delete function lambda nameof new not sizeof throw typeof while yield');
/** What follows a name that begins an expression. */
const NAME_FORM = patternOf([CALL, ...MEMBERS]);
const NAME_FORM_AFTER_OPERATOR = patternOf([CALL_AFTER_OPERATOR, ...MEMBERS]);
const MINIFIED_FORM = patternOf([MINIFIED]);
/** A variable and a string: `token = input + '.'`. */
const CONCATENATION = /[A-Za-z_$]{1,40}[ \t]{1,4}\+[ \t]{1,4}["'`]/y;

/** A member of a type, or a type, as lexers assign them: `token = Keyword.Type`, `token = Whitespace`. */
const TYPE_MEMBER = /[A-Z][A-Za-z]{1,40}(?:\.[A-Z][A-Za-z]{1,40}){1,8}(?![\w.])/y;
const TYPE = /[A-Z][a-z]{2,20}(?![\w.])/y;
/** What a lexer makes of a token, as a list: `token = ['word', content]`. */
const TOKEN_LIST = /\[(?:'[^'\r\n]{1,12}'|[A-Za-z]{1,20}), /y;
/** A constant, or the type of a last parameter: `token: FG_DEFAULT,`, `token: IToken): void`. */
const TYPE_USE = /[A-Z]{2,20}(?:_[A-Z]{2,20}){1,5},|[A-Z][A-Za-z]{1,40}\)(?:;|:| =>| \{)/y;
const FUNCTION_OR_CALL = /function\(|(?<=[ \t])[A-Za-z_$][A-Za-z_$.]{0,80}\(\)/y;
/** The first characters of a variable that a template or a script replaces. */
const STARTS_SUBSTITUTION = charSet('$%{');

/** A variable of a shell, in any case, or the placeholder of an argument in a description. */
const ARGUMENT = /\$[A-Za-z_]{1,60}$|\{[A-Za-z_.]{1,60}\}$|[A-Z_]{2,60}$/y;

/**
 * True if the argument of a command from `start` to `end` is a variable or a placeholder: `$pw`, `$env:TOKEN`,
 * `%TOKEN%`, `{token}`, `<token>`, `TOKEN`, `[--token t]`.
 */
export function isFilledIn(text: Text, start: number, end: number): boolean {
  if (endOfMatch(FORM, text, start, STARTS_FORM) >= end) return true;
  if (end - start === 1 && isIn(text, start, LETTER) && codeAt(text, end) === CLOSING_BRACKET) return true;
  const argument = text.string.slice(start, Math.min(end, start + MAX_ARGUMENT_CHARS));
  ARGUMENT.lastIndex = 0;
  return (
    ARGUMENT.test(argument) && (isIn(text, start, STARTS_SUBSTITUTION) || keyKindIn(text, start, end) !== undefined)
  );
}

const MAX_ARGUMENT_CHARS = 64;
const MAX_MINIFIED_CHARS = 2;

/** True if the text from `start` to `end` is exactly one variable: `${token}`, `{{ token }}`, `%TOKEN%`. */
export function isSubstitution(text: Text, start: number, end: number): boolean {
  return endOfMatch(FORM, text, start, STARTS_SUBSTITUTION) === end;
}

/**
 * True if the value at `from` has the form of an expression: a call, a variable, a member of an object, an operator.
 */
export function isExpression(text: Text, from: number): boolean {
  if (endOfMatch(FORM, text, from, STARTS_FORM) >= 0) return true;
  if (!isIn(text, from, STARTS_IDENTIFIER)) return false;
  const end = endOfRun(text, from + 1, IDENTIFIER_CHARS);
  if (isIn(text, end, BLANK))
    return endOfMatch(OPERATORS, text, from) >= 0 || endOfMatch(CONCATENATION, text, from, LETTER) >= 0;
  if (end - from <= MAX_MINIFIED_CHARS && endOfMatch(MINIFIED_FORM, text, from) >= 0) return true;
  if (!isIn(text, end, CONTINUES_PATH) || (isIn(text, end, DOUBLED) && !isIn(text, end + 1, AFTER_DOUBLED)))
    return false;
  const pattern = isBefore(text, from, BLANK) ? NAME_FORM : NAME_FORM_AFTER_OPERATOR;
  return endOfMatch(pattern, text, from) >= 0;
}

/** True if a function, or a call without arguments after a blank, is at `from`: `token = scanner.scan()`. */
export function isFunctionOrCall(text: Text, from: number): boolean {
  return endOfMatch(FUNCTION_OR_CALL, text, from, STARTS_IDENTIFIER) >= 0;
}

/**
 * True if the value at `from` is a member of a type, a constant, or a list, as lexers assign them:
 * `token = Keyword.Type`. A type without a member counts only if `mayBeType`.
 */
export function isTypeMember(text: Text, from: number, mayBeType: boolean): boolean {
  if (!isBefore(text, from, BLANK)) return false;
  if (!isIn(text, from, CAPITAL)) return endOfMatch(TOKEN_LIST, text, from, OPENING) >= 0;
  return endOfMatch(TYPE_MEMBER, text, from) >= 0 || (mayBeType && endOfMatch(TYPE, text, from) >= 0);
}

/** True if a constant, or the type of a last parameter is at `from`: `token: FG_DEFAULT,`, `token: IToken): void`. */
export function isTypeUse(text: Text, from: number): boolean {
  if (!isBefore(text, from, BLANK) || !isIn(text, from, CAPITAL)) return false;
  return endOfMatch(TYPE_USE, text, from) >= 0;
}

const CAPITAL = charSet('A-Z');
const OPENING = charSet('[');
const STARTS_IDENTIFIER = charSet('A-Za-z_$!');
const IDENTIFIER_CHARS = charSet('\\w$');
/** Characters after a name that is part of a longer expression. */
const CONTINUES_PATH = charSet('.?!:([<+-');
const DOUBLED = charSet(':?!-');
const AFTER_DOUBLED = charSet(':.>');

const KEYWORDS =
  /(?:^|[\s({;,])(?:abstract|async|await|class|const|def|final|fn|for|foreach|func|function|if|import|interface|internal|let|my|namespace|our|override|private|protected|public|readonly|return|static|switch|throw|typeof|using|val|var|virtual|while)\s|\b(?:this|self|base|super)\.|[=!]==|=>|\)\s*\{|^\s*\w+(?:, \w+)+ = |\s\?\s[^:]{1,80}\s:\s|\w\[\w+\] = |^\s*(?:if|elif|for|while|with|except)\s.*:$/;
const CODE_END = /(?:[;{]|\)[,;]|=>)\s*$/;
const MAX_START_CHARS = 200;

const NAME_CHARS = charSet('A-Za-z_$');
const AFTER_NAME = charSet('\\s,;:)\\]}"\'`<&\\\\|');
const PARTS = /[a-z][A-Z]|_[A-Za-z]/;
const TYPE_END = charSet(',;)}|=<>[?');
const BEFORE_ARGUMENT = charSet('(,');
const AFTER_ARGUMENT = charSet('),');
const STATEMENT_END = charSet(',;)}|=<>[?+*&!:\\r\\n-');

/**
 * Recognises lines of program code, in which a bare name is a variable, a parameter or a type. If it is asked for
 * ascending positions, it reads each line once.
 */
export class CodeLines {
  #start = 0;
  #end = -1;
  #isCode = false;

  constructor(private readonly text: Text) {}

  /** True if the value at `from` is a name in the program: `token = cancellationToken;`, `accessKey: SecretKey,`. */
  hasNameAt(from: number, keyStart: number, keyEnd: number): boolean {
    const isAfterOperator = codeBefore(this.text, from) === EQUALS || codeBefore(this.text, from) === COLON;
    if (isAfterOperator && !this.#mayBeArgument(keyStart)) return false;
    const lettersEnd = endOfRun(this.text, from, NAME_CHARS);
    const end = lettersEnd > from && isIn(this.text, lettersEnd, DIGIT) ? lettersEnd + 1 : lettersEnd;
    if (end === from || !(end >= this.text.length || isIn(this.text, end, AFTER_NAME))) return false;
    const isOwnName = this.#isSame(from, end, keyEnd - (end - from), keyStart);
    if (isOwnName && isIn(this.text, end, TYPE_END) && this.#mayBeArgument(keyStart)) return true;
    if (isAfterOperator) return this.#isArgument(from, end, keyStart, keyEnd);
    const hasParts = end - from > 3 && PARTS.test(this.text.string.slice(from, end));
    if (hasParts && keyKindIn(this.text, from, end) !== undefined) return true;
    return this.#isCodeAt(from) && (isOwnName || hasParts || this.#endsStatement(end));
  }

  /** True if the name from `from` to `end` is also at `other`, ignoring case. */
  #isSame(from: number, end: number, other: number, floor: number): boolean {
    if (other < floor) return false;
    for (let at = from; at < end; at++) {
      if (lowerCode(codeAt(this.text, at)) !== lowerCode(codeAt(this.text, other + at - from))) return false;
    }
    return true;
  }

  /** True if the key may be the name of an argument or a member: `login(password=password)`, `{ token: token }`. */
  #mayBeArgument(keyStart: number): boolean {
    const before = codeBefore(this.text, keyStart);
    return (
      before === OPENING_PARENTHESIS || before === COMMA || isBefore(this.text, keyStart, BLANK) || before === 0x2e
    );
  }

  /** True if the key names an argument, and a name is its value: `connect(host=host, password=db_password)`. */
  #isArgument(from: number, end: number, keyStart: number, keyEnd: number): boolean {
    const before = isBefore(this.text, keyStart, BLANK) ? keyStart - 1 : keyStart;
    if (!isIn(this.text, end, AFTER_ARGUMENT) || !isBefore(this.text, before, BEFORE_ARGUMENT)) return false;
    const start = lastWordStart(this.text, from, end);
    const keyWord = keyEnd - (end - start);
    return start > from && startsKeyWord(this.text, keyWord, keyStart) && this.#isSame(start, end, keyWord, keyStart);
  }

  #endsStatement(end: number): boolean {
    const next = endOfRun(this.text, end, BLANK);
    return next >= this.text.length || isIn(this.text, next, STATEMENT_END);
  }

  #isCodeAt(at: number): boolean {
    if (at >= this.#start && at <= this.#end) return this.#isCode;
    const { string } = this.text;
    this.#start = string.lastIndexOf('\n', at - 1) + 1;
    const end = string.indexOf('\n', at);
    this.#end = end < 0 ? string.length : end;
    const start = string.slice(this.#start, Math.min(this.#end, this.#start + MAX_START_CHARS));
    const last = string.slice(Math.max(this.#start, this.#end - 4), this.#end);
    this.#isCode = KEYWORDS.test(start) || CODE_END.test(last);
    return this.#isCode;
  }
}

/** Returns the start of the last word of `db_password` or `dbPassword`; `from` if the name is one word. */
function lastWordStart(text: Text, from: number, end: number): number {
  const start = startOfRun(text, end, SMALL, end - from);
  if (isBefore(text, start, CAPITAL) && start > from) return start - 1;
  return codeBefore(text, start) === UNDERSCORE ? start : from;
}

function startsKeyWord(text: Text, at: number, keyStart: number): boolean {
  return at === keyStart || isIn(text, at, CAPITAL) || !isBefore(text, at, LETTER);
}

const SMALL = charSet('a-z');
