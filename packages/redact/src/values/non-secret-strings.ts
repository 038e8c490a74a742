import { BACKTICK, codeBefore } from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import type { Key, ValueContext } from './key.js';
import { isConstantAt, isNameIn } from './names.js';
import { isNotSecretWord, isPath, isStandIn } from './non-secret-values.js';
import type { Quoted } from './quoted.js';

/** Recognises strings in quotes that are not secrets. */

const MAX_MESSAGE_CHARS = 300;
/** A word with which programs compare a key: `token === '--require'`. */
const COMPARED = /^-{0,2}[A-Za-z_-]*$/;
/** The name of a type: `typeof secret === 'string'`. */
const TYPE_NAME = /^(?:boolean|function|number|object|string|undefined)$/;
/** A word with which programs compare a short name of a password: `user_pass == "git"`. */
const SHORT_WORD = /^[a-z]{1,3}$/;
const COMPARES = /[=!]==?[ \t]{0,4}\\{0,4}["'`]$/;
const MAX_OPERATOR_CHARS = 12;
const MAX_COMPARED_CHARS = 40;
/** A whole string that is not a secret under some keys. */
interface StringForm {
  readonly pattern: RegExp;
  readonly mayFollow: (key: Key) => boolean;
}

const STRING_FORMS: readonly StringForm[] = [
  // The colour of a token (`Token: '#dcdccc'`), or a token with a blank (`extendsToken = 'extends '`).
  {
    pattern: /^(?:#(?:[\da-fA-F]{3,4}|[\da-fA-F]{6}|[\da-fA-F]{8})|[a-z]{2,16} )$/,
    mayFollow: (key) => key.traits.isCompared,
  },
  // Six or more words with a comma, a full stop or a variable, which passphrases do not have.
  {
    pattern: /^(?=.*(?:, |\.$|%[ds]))[A-Za-z]+(?:,? (?:[A-Za-z'’]+|-|\(?%[ds]\)?)){5,}\.?$/,
    mayFollow: () => true,
  },
  // Words that stand for the value: `apiKey: 'a key'`, ``secret: `apiKey` ``.
  {
    pattern:
      /^(?:(?:a|the|your) (?:key|password|secret|token)|(?:access|api|auth|client|private|refresh)(?:Key|Secret|Token))$/,
    mayFollow: () => true,
  },
  // The emoji in `"cookie": "🍪"`. Inside of a layer all characters beyond ASCII have one code, so any two of them count.
  { pattern: /^[\x80-\uffff]{1,2}$/, mayFollow: () => true },
  // An unknown scheme and the name of a parameter, to which a program adds the value.
  {
    pattern: /^(?!Basic|Bearer|Digest)[A-Z][A-Za-z]{1,20} [A-Z]?[a-z]{1,20}=(?:"(?:%s|UsernameToken)?"?)?$/,
    mayFollow: (key) => key.kind === 'authorization',
  },
  // The template of a cookie whose value is a variable.
  {
    pattern:
      /^(?:[\w-]{1,60}|\$\{[^{}]{1,60}\})=\$\{[\w.$()]{1,80}\}(?:; ?(?:domain|expires|httponly|max-age|path|samesite|secure)(?:=[^;]{0,60})?){0,7}$/i,
    mayFollow: (key) => key.kind === 'cookie',
  },
];

const PATTERN_PREFIX = /^[rR]["']$/;
/** What a regular expression contains. */
const PATTERN = /\(\?[:=!P]|\[\^|\\[dwsDWSb]/;

/**
 * True if a quoted value is not a secret: a placeholder, a path in `PWD`, a word in a comparison, a keyboard shortcut,
 * a colour.
 */
export function isNoValue(text: Text, { start, end }: Quoted, { key, separator }: ValueContext): boolean {
  if (isStandIn(text, start, end) || isNameIn(text, start, end, key) || isPattern(text, start, end)) return true;
  if (codeBefore(text, start) === BACKTICK && isNotSecretWord(text, start, end)) return true;
  if (separator === ':' && codeBefore(text, start) === BACKTICK && isConstantAt(text, start)) return true;
  if (key.isPlural && isNotSecretWord(text, start, end)) return true;
  if (end - start <= MAX_MESSAGE_CHARS && hasStringForm(text, start, end, key)) return true;
  if (end - start === 1 && isAccessKeyAttribute(text, key)) return true;
  if (key.traits.isWeak && (isPath(text, start) || isMessage(text, start, end, key))) return true;
  return (separator === 'other' || separator === '===') && isCompared(text, { start, end }, key);
}

function hasStringForm({ string }: Text, start: number, end: number, key: Key): boolean {
  const value = string.slice(start, end);
  return STRING_FORMS.some(({ pattern, mayFollow }) => mayFollow(key) && pattern.test(value));
}

/** True for a regular expression of Python: `r'(?:[a-z]+)'`. */
function isPattern({ string }: Text, start: number, end: number): boolean {
  return PATTERN_PREFIX.test(string.slice(start - 2, start)) && PATTERN.test(string.slice(start, end));
}

/** True for HTML's `accesskey="p"`, which names a key of the keyboard. */
function isAccessKeyAttribute({ string }: Text, { start, end }: Key): boolean {
  return string.slice(start, end).toLowerCase() === 'accesskey';
}

/** True if programs compare the key with strings such as this one: the name of a type, or a word. */
export function isCompared(text: Text, { start, end }: Pick<Quoted, 'start' | 'end'>, key: Key): boolean {
  const value = text.string.slice(start, Math.min(end, start + MAX_COMPARED_CHARS));
  if (TYPE_NAME.test(value) || (key.traits.isCompared && COMPARED.test(value))) return true;
  if (!key.traits.isWeak || !SHORT_WORD.test(value)) return false;
  return COMPARES.test(text.string.slice(Math.max(0, start - MAX_OPERATOR_CHARS), start));
}

const VARIABLE = /\$\{[^{}]{1,60}\}/g;
const SEVERAL_WORDS = / \S.* |[\x80-\uffff]|^[A-Z][a-z]+ [a-z]+$/;
const DIGIT_IN_WORD = /[A-Za-z]\d|\d[A-Za-z]/;

/** True for the message of a check that passed: `"pass": "Every image has a text"`. It can contain numbers. */
export function isMessage(text: Text, start: number, end: number, key: Key): boolean {
  if (key.end - key.start !== 'pass'.length) return false;
  const words = text.string.slice(start, Math.min(end, start + MAX_MESSAGE_CHARS)).replace(VARIABLE, '');
  return SEVERAL_WORDS.test(words) && !DIGIT_IN_WORD.test(words);
}
