import {
  BACKTICK,
  BLANK,
  COLON,
  charSet,
  codeAt,
  codeBefore,
  DIGIT,
  DOT,
  endOfMatch,
  endOfRun,
  isIn,
  isSpace,
  LETTER,
  SPACE,
  wordPattern,
} from '../scanning/chars.js';
import { backslashesEnd } from '../scanning/escapes.js';
import type { Text } from '../scanning/text.js';
import { QUOTE } from './quoted.js';

/** Words that are not secrets: values such as `null`, and types in declarations. */
const NOT_SECRET = wordPattern(
  'cancellationtoken true false null nil none undefined default new string str number boolean bool object any unknown void ' +
    'yes bigint infer keyof readonly symbol unique read write array buffer byte bytes bytearray char double float int ' +
    'integer eof ' +
    // Encodings, and the architectures of Debian's packages: `libsecret-1-0:amd64`.
    'ascii base64 hex latin-?1 utf-?8 utf-?16(?:le)? amd64 arm64 armel armhf i386 mips64el ppc64el riscv64 s390x ' +
    // Words that describe the state of a secret.
    'absent accepted configured deleted denied disabled empty enabled expected expired failed found hidden ignored invalid ' +
    'missing never no opaque optional present redacted refused rejected removed required revoked set unset unused updated ' +
    'valid verified',
);
const AFTER_NOT_SECRET = charSet(',;)}[\\]|?"\'`\\\\');

/** Words that show that a sentence follows and not a value: `password: must be longer`, `--token is required`. */
const PROSE_WORDS = wordPattern(
  'a an and are argument as at by can cannot could change choose does enter expects flag for forgot from has header headers if in instead into is it may must ' +
    'needs not on only option options or parameter pass please provide requires reset see should specify that the this to type use ' +
    'uses via was when which will with without would your expected invalid missing required set',
);
const AFTER_PROSE = charSet('A-Za-z\'"[`');

/** Three or more words, or two words at the end of a clause: `First pass: find the longest`. */
const SENTENCE = /[A-Za-z][a-z]{0,20}(?: [a-z]{2,20}){2}|[A-Za-z][a-z]{0,20} [a-z]{2,20}(?=[.,;)]|[ \t]{0,4}[\r\n]|$)/y;

/** Programs with which a command can begin: `credentials: dotnet nuget update source`. */
const PROGRAMS = wordPattern(
  'aws az cargo curl docker dotnet gh git gradle kubectl mortise mvn node npm npx nuget pip pnpm ssh sudo yarn',
);
const SMALL = charSet('a-z');
const AFTER_SECOND_WORD = charSet(' \\t\\r\\n.,;)');
const AFTER_KEY = charSet(':=\\w-');
const AFTER_PROGRAM = charSet('A-Za-z<-');

const STARTS_NUMBER = charSet('\\d-');
const NUMBER = /-?\d[\d.eE+-]{0,40}(?=[\s,}\]]|$)/y;

/**
 * The type in a declaration: `password: string = "x"`, `token: &'static str = "x"`, `token string = "x"`,
 * `token As String = "x"`, `Token { get; set; } = "x"`.
 */
const TYPE =
  '&?(?:\'[a-z]{1,20} )?(?:mut )?\\[?(?:std::|typing\\.|System\\.)?(?:Annotated|Any|AnyStr|Box|CharSequence|ClassVar|Cow|Final|Literal|NSString|Option|Optional|Rc|Readonly|SecureString|Str|String|Text|Union|any|bytes?|char|nvarchar|object|str|string|text|u8|unknown|varchar)(?:[<([][^="\\r\\n]{0,60}[>)\\]])?(?:\\[\\]|(?:; ?\\d{1,5})?\\])?[?!*]{0,2}(?: \\| [a-z]{1,20}){0,4}';
const TYPED = new RegExp(
  `(?:[ \\t]{0,4}[?!]?:[ \\t]{0,8}${TYPE}|[ \\t]{1,4}(?:[Aa]s[ \\t]{1,4})?${TYPE}|[ \\t]{0,4}\\{ ?get;[^}\\r\\n]{0,40}\\})[ \\t]{0,8}:?=(?!=)[ \\t]{0,8}`,
  'y',
);
const TYPE_WORDS = wordPattern(
  'annotated any anystr as box byte bytes char charsequence classvar cow final literal mut nsstring object option ' +
    'optional rc readonly securestring std str string system text typing u unknown nvarchar varchar union',
);
const BEFORE_TYPE = charSet(' \\t:?!');
const OPENS_TYPE = charSet("&[{'");
const STARTS_TYPE = charSet('A-Za-z');
const STARTS_TYPED = charSet(' \\t:?!{');

const STARTS_DOUBTFUL_QUOTE = charSet('"\'`\\\\');
/** The end of a string around the quote: `'Unknown token: "' . name`. */
const CLOSES_OUTER = /["'`][ \t]{1,4}[+.&]/y;
const AFTER_DOUBTFUL_QUOTE = charSet(',}\\])>\\r\\n');

/** The text after a string that closes there: an operator, a separator or the end. */
const CONCATENATES = /[ \t]{1,4}(?:[+.%&|?:,);}\]]|$)/y;

/** True if the value at `from` is a word of NOT_SECRET. */
export function isNotSecret(text: Text, from: number): boolean {
  const end = endOfMatch(NOT_SECRET, text, from);
  if (end < 0) return false;
  const next = codeAt(text, end) === DOT ? end + 1 : end;
  return next >= text.length || isSpace(text, next) || isIn(text, end, AFTER_NOT_SECRET);
}

/** True if the text from `start` to `end` is a word of NOT_SECRET. */
export function isNotSecretWord(text: Text, start: number, end: number): boolean {
  return endOfMatch(NOT_SECRET, text, start) === end;
}

/** A pseudo-class in CSS: `.secret:before{`. */
const PSEUDO_CLASS =
  /(?:active|after|before|checked|disabled|empty|enabled|first-[a-z-]{1,20}|focus(?:-[a-z]{1,12})?|has|hover|invalid|is|last-[a-z-]{1,20}|link|not|nth-[a-z-]{1,20}|only-[a-z-]{1,20}|placeholder(?:-shown)?|required|root|target|valid|visited|where)(?![\w-])[^{};\r\n]{0,40}\{/y;
/** A role of reStructuredText: ``pass :meth:`peek` ``. */
const ROLE = /[a-z]{2,12}:`/y;

/** True if the word at `from` belongs to the `:` before it and not to a value. */
export function isJoinedToColon(text: Text, from: number, keyStart: number): boolean {
  if (codeBefore(text, from) !== COLON) return false;
  const isClass = codeAt(text, keyStart) === DOT;
  return endOfMatch(isClass ? PSEUDO_CLASS : ROLE, text, from, SMALL) >= 0;
}

/** True if a sentence or a command begins at `from`. */
export function looksLikeProse(text: Text, from: number): boolean {
  if (!isIn(text, endOfRun(text, from, LETTER), BLANK)) return false;
  const program = endOfMatch(PROGRAMS, text, from);
  if (program >= 0 && isIn(text, program, BLANK) && isIn(text, endOfRun(text, program, BLANK), AFTER_PROGRAM))
    return true;
  const end = endOfMatch(PROSE_WORDS, text, from);
  return end >= 0 && isIn(text, end, BLANK) && isIn(text, endOfRun(text, end, BLANK), AFTER_PROSE);
}

/** A number of up to three digits after a blank or before `]`, and a repetition in a grammar: `token = 1*tchar`. */
const COUNT = /(?<=[ \t])\d{1,3}(?=[\s,;)}]|$)|\d{1,3}\]|\d\*[a-z<]/y;

/** True for a count or an index, which is not a secret: `OpenBraceToken = 1,`. */
export function isCount(text: Text, from: number): boolean {
  return endOfMatch(COUNT, text, from, DIGIT) >= 0;
}

/**
 * A string that is a placeholder: `[Redacted]`, `***`, `<token>`. Strings that consist only of punctuation, as in
 * `token === "("`, or of variables, as in `${scheme}:${path}`, and relative paths of modules are treated in the same
 * way.
 */
const STAND_IN =
  /^(?:[^A-Za-z\d$]{0,4}(?:\$\{[\w.$()'", ]{1,60}\}[^A-Za-z\d$]{0,4}){1,4}|\.{1,2}\/[\w./*-]+|\[[A-Za-z ]{1,20}\]|<[A-Za-z][\w -]{0,60}>|x{4,}|X{4,}|[^A-Za-z\d\x80-\uffff]*)$/;
const MAX_STAND_IN_CHARS = 96;
/** Characters with which no match of STAND_IN begins: a fast check before the expression. */
const STARTS_NO_STAND_IN = charSet('A-WYZa-wyz\\d');

/** True if the string from `start` to `end` is a placeholder (STAND_IN). */
export function isStandIn(text: Text, start: number, end: number): boolean {
  if (end - start > MAX_STAND_IN_CHARS || (start < end && isIn(text, start, STARTS_NO_STAND_IN))) return false;
  return STAND_IN.test(text.string.slice(start, end));
}

export function isSentence(text: Text, from: number): boolean {
  const end = endOfRun(text, from, LETTER);
  if (end === from || codeAt(text, end) !== SPACE || !isIn(text, end + 1, SMALL)) return false;
  const second = endOfRun(text, end + 1, SMALL);
  if (second < text.length && !isIn(text, second, AFTER_SECOND_WORD)) return false;
  return endOfMatch(SENTENCE, text, from) >= 0 && !isIn(text, SENTENCE.lastIndex, AFTER_KEY);
}

/** The version of a package (`"cookie": "^0.7.1"`), or a range of NuGet (`"UserSecrets": "[8.0.0, )"`). */
const VERSION = /["']?(?:[~^]|[[(],? ?)?\d{1,4}(?:\.\d{1,5}){2}(?:-[a-z]{1,10}(?:\.\d{1,5})?)?(?=[\s,"'\])]|$)/y;
const STARTS_VERSION = charSet('\\d~^"\'[(');

export function isVersion(text: Text, from: number): boolean {
  return endOfMatch(VERSION, text, from, STARTS_VERSION) >= 0;
}

/** True if a number in the syntax of JSON is at `from`. */
export function isNumber(text: Text, from: number): boolean {
  return endOfMatch(NUMBER, text, from, STARTS_NUMBER) >= 0;
}

/** Returns the end of the type and `=` in a declaration whose name ends at `from`, or -1. */
export function afterType(text: Text, from: number): number {
  if (!isIn(text, from, STARTS_TYPED)) return -1;
  const start = endOfRun(text, from, BEFORE_TYPE);
  return isIn(text, start, OPENS_TYPE) || startsTypeName(text, start) ? endOfMatch(TYPED, text, from) : -1;
}

/** True if a type can begin with the word at `at`. */
function startsTypeName(text: Text, at: number): boolean {
  return isIn(text, at, STARTS_TYPE) && endOfMatch(TYPE_WORDS, text, at) >= 0;
}

/** Returns the code of the quote at `from` if it may close the string around `Password=` instead of opening a value. */
export function doubtfulQuote(text: Text, from: number): number | undefined {
  if (!isIn(text, from, STARTS_DOUBTFUL_QUOTE)) return undefined;
  const quote = backslashesEnd(text, from);
  if (!isIn(text, quote, QUOTE)) return undefined;
  const next = quote + 1;
  const isDoubtful =
    next === text.length || isIn(text, next, AFTER_DOUBTFUL_QUOTE) || endOfMatch(CONCATENATES, text, next, BLANK) >= 0;
  if (isDoubtful || (codeAt(text, quote) === BACKTICK && isIn(text, next, BLANK))) return codeAt(text, quote);
  return endOfMatch(CLOSES_OUTER, text, next) >= 0 ? codeAt(text, next) : undefined;
}

const PATH = /(?:~?\/|[A-Za-z]:[\\/]|\.{1,2}\/)/y;
const STARTS_PATH = charSet('~/.');

/** True if a path begins at `from`. */
export function isPath(text: Text, from: number): boolean {
  const mayBePath = isIn(text, from, STARTS_PATH) || (isIn(text, from, LETTER) && codeAt(text, from + 1) === COLON);
  return mayBePath && endOfMatch(PATH, text, from) >= 0;
}
