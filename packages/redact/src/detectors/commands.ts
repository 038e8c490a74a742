import { PLACEHOLDER } from '../placeholder.js';
import {
  BLANK,
  charSet,
  DASH,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  isSpace,
  SINGLE_QUOTE,
} from '../scanning/chars.js';
import { isPlaceholder, type RedactRange, type SecretDetector } from '../scanning/scan.js';
import { BEYOND_ASCII, type Text } from '../scanning/text.js';
import { isFilledIn } from '../values/code.js';
import { parseQuoted, STARTS_OPENER } from '../values/quoted.js';
import { keyKindIn } from '../values/secret-key.js';
import { endAtSpace } from '../values/unquoted.js';

/** The position of a secret in a command line that no option name identifies. */
interface Command {
  readonly names: readonly string[];
  /** Options whose value is secret. */
  readonly options?: readonly string[];
  /** An option whose value follows without a space. */
  readonly joinedOption?: string;
  /** By option: only the part of its value after the first such character is secret (`user:password`); nothing without one. */
  readonly marks?: Readonly<Record<string, string>>;
  /** The n-th argument (from 0) after this word is secret; options and their values do not count. */
  readonly argument?: { readonly after: string; readonly index: number };
  /** An argument that begins so is secret. */
  readonly prefix?: string;
  /** The argument after one that is a secret key. */
  readonly keyed?: true;
  /** Only an argument in single quotes is secret. */
  readonly isQuoted?: true;
  /** Case counts in the name. */
  readonly isCaseExact?: true;
}

const COMMANDS: readonly Command[] = [
  { names: ['user-secrets'], argument: { after: 'set', index: 1 } },
  {
    names: ['curl'],
    options: ['-u', '--user', '-U', '--proxy-user', '-b', '--cookie', '--oauth2-bearer'],
    joinedOption: '-u',
    marks: { '-u': ':', '--user': ':', '-U': ':', '--proxy-user': ':', '-b': '=', '--cookie': '=' },
  },
  { names: ['smbclient'], options: ['-U', '--user'], marks: { '-U': '%', '--user': '%' } },
  { names: ['lftp'], options: ['-u', '--user'], marks: { '-u': ',', '--user': ',' } },
  { names: ['mysql', 'mysqldump', 'mysqladmin', 'mysqld', 'mariadb'], joinedOption: '-p' },
  { names: ['sqlcmd', 'bcp'], options: ['-P'], joinedOption: '-P' },
  { names: ['zip', 'unzip'], options: ['-P'] },
  { names: ['7za', '7z a', '7z e', '7z t', '7z x', 'unrar'], joinedOption: '-p' },
  { names: ['login', 'dev-certs', 'mongosh', 'mongodump', 'mongorestore', 'psexec', 'twine upload'], options: ['-p'] },
  { names: ['signtool'], options: ['/p'] },
  { names: ['schtasks'], options: ['/rp'] },
  { names: ['ldapadd', 'ldapmodify', 'ldappasswd', 'ldapsearch', 'ldapwhoami'], options: ['-w'] },
  { names: ['openssl enc'], options: ['-k'] },
  { names: ['keyvault secret set', 'ssm put-parameter'], options: ['--value'] },
  { names: ['secretsmanager'], options: ['--secret-string'] },
  { names: ['gh secret set'], options: ['--body', '-b'], joinedOption: '-b' },
  { names: ['sshpass'], options: ['-p'], joinedOption: '-p' },
  { names: ['redis-cli'], options: ['-a'] },
  { names: ['nuget'], options: ['-k'] },
  { names: ['nuget add source', 'nuget update source'], options: ['-p'] },
  { names: ['setapikey'], argument: { after: 'setapikey', index: 0 } },
  {
    names: [
      ...['aws configure set', 'bundle config', 'composer config', 'conda config', 'dotnet config', 'git config'],
      ...[
        'gh secret set',
        'heroku config',
        'npm config set',
        'npm set',
        'rclone config',
        'vercel env add',
        'Set-Item',
        'nuget config',
        'pip config set',
        'pip3 config set',
      ],
      ...['pnpm config set', 'poetry config', 'pulumi config set', 'setx', 'yarn config set'],
    ],
    keyed: true,
  },
  // In a Dockerfile.
  { names: ['ENV'], keyed: true, isCaseExact: true },
  { names: ['requirepass'], argument: { after: 'requirepass', index: 0 } },
  { names: ['masterauth'], argument: { after: 'masterauth', index: 0 } },
  { names: ['identified by'], argument: { after: 'identified by', index: 0 }, isQuoted: true },
  { names: ['openssl'], prefix: 'pass:' },
  { names: ['keytool', 'jarsigner'], options: ['-storepass', '-keypass'] },
  { names: ['ConvertTo-SecureString'], options: ['-String'], argument: { after: 'ConvertTo-SecureString', index: 0 } },
];

/** Options before or between the counted arguments that take a value of their own. */
const VALUE_OPTIONS = new Set(['--project', '-p', '--id', '-c', '--configuration', '--file', '-f', '-ConfigFile']);
/** Characters that can follow a secret and are not part of it. */
const TRAILING_PUNCTUATION = charSet(')}\\]>');
const PART_OF_NAME = charSet('\\w-');
const ENDS_NAME = charSet('."\' \\t');
const AFTER_NAME = /(?:\.exe)?["']?(?=[ \t])/iy;
const STARTS_NEXT_COMMAND = charSet('|&;');
const NEXT_COMMAND: readonly string[] = ['|', '||', '&&', ';'];
const MAY_END_ARGUMENT = charSet('\\s');
MAY_END_ARGUMENT[BEYOND_ASCII] = 1;
const NO_OPTIONS: readonly string[] = [];

interface Argument {
  readonly start: number;
  /** The end of the text up to white space, or of the text inside the quotes. */
  readonly end: number;
  readonly isQuoted: boolean;
  readonly next: number;
}

/** One family for each row of the table. Each reads its command's line once. */
export const commands: readonly SecretDetector[] = COMMANDS.map((command) => ({
  name: `${command.names[0]} arguments`,
  triggers: command.names,
  ...(command.isCaseExact && { isCaseExact: true }),
  countsWords: true,
  read: (text, redact) => (at, name) => {
    const from = endOfMatch(AFTER_NAME, text, at + name.length, ENDS_NAME);
    if (from < 0 || isBefore(text, at, PART_OF_NAME)) return 0;
    return redactArguments(command, text, from, name, redact);
  },
}));

function redactArguments(command: Command, text: Text, from: number, name: string, redact: RedactRange): number {
  const { options, argument: counted } = command;
  let at = from;
  let option = '';
  let previous: Argument | undefined;
  let isKeyed = false;
  let count = counted?.after === name ? 0 : -1;
  for (let argument = argumentAt(text, at); argument; argument = argumentAt(text, at)) {
    at = argument.next;
    if (isNextCommand(text, argument)) break;
    const before = option;
    option = optionIn(text, argument);
    const isSecret = followsOption(text, previous, options) || (isKeyed && option === '');
    previous = argument;
    const skip = isSecret ? 0 : charsBeforeSecret(command, text, argument, option);
    isKeyed = command.keyed === true && option === '' && isKey(text, argument);
    if (skip >= 0) {
      const mark = command.marks?.[skip === 0 ? before : option.slice(0, skip).replace('=', '')];
      redactSecret(command, text, argument, skip, mark, redact);
    } else if (counted && isWord(text, argument, counted.after)) {
      count = 0;
    } else if (counted && count >= 0 && !isUncounted(option) && !VALUE_OPTIONS.has(before)) {
      if (count === counted.index) redactSecret(command, text, argument, 0, undefined, redact);
      count++;
    }
  }
  return at;
}

function followsOption(text: Text, previous: Argument | undefined, options: readonly string[] | undefined): boolean {
  if (!previous || !options) return false;
  for (const option of options) if (isWord(text, previous, option)) return true;
  return false;
}

/** Whether the argument names a secret: `user.password`, `//registry.npmjs.org/:_authToken`, `pypi-token.pypi`. */
function isKey(text: Text, { start, end }: Argument): boolean {
  return keyKindIn(text, start, end) !== undefined || text.string.startsWith('pypi-token.', start);
}

/** How much of the argument is before its secret, which an option or prefix shows; -1 when nothing shows one. */
function charsBeforeSecret(command: Command, text: Text, { start }: Argument, option: string): number {
  const { options = NO_OPTIONS, joinedOption, prefix } = command;
  if (prefix !== undefined && text.string.startsWith(prefix, start)) return prefix.length;
  if (option === '') return -1;
  const separator = option.startsWith('--') ? option.indexOf('=') : -1;
  if (separator >= 0 && options.includes(option.slice(0, separator))) return separator + 1;
  return joinedOption !== undefined && option.startsWith(joinedOption) && !options.includes(option)
    ? joinedOption.length
    : -1;
}

function isUncounted(option: string): boolean {
  return option.startsWith('--') || VALUE_OPTIONS.has(option);
}

/** The argument if it begins with a dash, or an empty string. */
function optionIn(text: Text, { start, end }: Argument): string {
  return start < end && text.codes[start] === DASH ? text.string.slice(start, end) : '';
}

function isNextCommand(text: Text, argument: Argument): boolean {
  return isIn(text, argument.start, STARTS_NEXT_COMMAND) && NEXT_COMMAND.some((item) => isWord(text, argument, item));
}

function isWord(text: Text, { start, end }: Argument, word: string): boolean {
  return end - start === word.length && text.string.startsWith(word, start);
}

/** The next argument on the same line. */
function argumentAt(text: Text, from: number): Argument | undefined {
  const start = endOfRun(text, from, BLANK);
  const quoted = isIn(text, start, STARTS_OPENER) ? parseQuoted(text, start) : undefined;
  if (quoted) return { start: quoted.start, end: quoted.end, isQuoted: true, next: quoted.next };
  let end = start;
  while (end < text.length && !(isIn(text, end, MAY_END_ARGUMENT) && isSpace(text, end))) end++;
  return end === start ? undefined : { start, end, isQuoted: false, next: end };
}

function endOf(text: Text, { start, end, isQuoted }: Argument): number {
  if (isQuoted) return end;
  return isPlaceholder(text, start) ? start + PLACEHOLDER.length : endAtSpace(text, start);
}

function redactSecret(
  { isQuoted }: Command,
  text: Text,
  argument: Argument,
  skip: number,
  mark: string | undefined,
  redact: RedactRange,
): void {
  const { start } = argument;
  if (isQuoted && !(argument.isQuoted && text.codes[start - 1] === SINGLE_QUOTE)) return;
  const end = endOf(text, argument);
  const secret = mark ? afterFirst(text, mark, start + skip, end) : start + skip;
  if (secret < 0 || isFilledIn(text, secret, end) || isFilledIn(text, secret, argument.end)) return;
  const isRedacted =
    secret > start &&
    isPlaceholder(text, secret) &&
    endOfRun(text, secret + PLACEHOLDER.length, TRAILING_PUNCTUATION) >= end;
  if (!isRedacted) redact(secret, end);
}

function afterFirst(text: Text, mark: string, from: number, end: number): number {
  const code = mark.charCodeAt(0);
  for (let at = from; at < end; at++) if (text.codes[at] === code) return at + 1;
  return -1;
}
