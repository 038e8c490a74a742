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
import { looksLikeProse } from '../values/non-secret-values.js';
import { parseQuoted, STARTS_OPENER } from '../values/quoted.js';
import { keyKindIn } from '../values/secret-key.js';
import { endAtSpace } from '../values/unquoted.js';

/** A command whose arguments can be secret although the name of their option does not show it. */
interface Command {
  readonly names: readonly string[];
  /** Options whose value is secret. */
  readonly options?: readonly string[];
  /** An option whose secret value follows without a space. */
  readonly joinedOption?: string;
  /**
   * A separator by option: only the part of its value after the first separator is secret (`user:password`). A value
   * without a separator is not secret.
   */
  readonly marks?: Readonly<Record<string, string>>;
  /** The argument with this index (from 0) after a word is secret. Options and their values are not counted. */
  readonly argument?: { readonly after: string; readonly index: number };
  /** The rest of an argument that begins with this text is secret. */
  readonly prefix?: string;
  /** The argument after a secret key is secret. */
  readonly keyed?: true;
  /** Only an argument in single quotes is secret. */
  readonly isQuoted?: true;
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

/** Options with a value that can be before or between the counted arguments. */
const VALUE_OPTIONS = new Set(['--project', '-p', '--id', '-c', '--configuration', '--file', '-f', '-ConfigFile']);
/** Characters that can follow a secret but are not part of it. */
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
  /** The start of the argument, after its opening quote. */
  readonly start: number;
  /** The position of the white space after the argument, or of its closing quote. */
  readonly end: number;
  readonly isQuoted: boolean;
  /** The position at which the next argument is looked for. */
  readonly next: number;
}

/** One detector for each row of the table. Each reads the line of its command once. */
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
  const { options, argument: countedArgument } = command;
  let at = from;
  let option = '';
  let previous: Argument | undefined;
  let isAfterKey = false;
  let count = countedArgument?.after === name ? 0 : -1;
  for (let argument = argumentAt(text, at); argument; argument = argumentAt(text, at)) {
    at = argument.next;
    if (isNextCommand(text, argument)) break;
    const previousOption = option;
    option = optionIn(text, argument);
    const isValue = isAfterKey && option === '' && (argument.isQuoted || !looksLikeProse(text, argument.start));
    const isSecret = isValue || followsOption(text, previous, options);
    previous = argument;
    const skippedChars = isSecret ? 0 : charsBeforeSecret(command, text, argument, option);
    isAfterKey = command.keyed === true && option === '' && isKey(text, argument);
    if (skippedChars >= 0) {
      const separator =
        command.marks?.[skippedChars === 0 ? previousOption : option.slice(0, skippedChars).replace('=', '')];
      redactSecret(command, text, argument, skippedChars, separator, redact);
    } else if (countedArgument && isWord(text, argument, countedArgument.after)) {
      count = 0;
    } else if (countedArgument && count >= 0 && !isUncounted(option) && !VALUE_OPTIONS.has(previousOption)) {
      if (count === countedArgument.index) redactSecret(command, text, argument, 0, undefined, redact);
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

/** True if the argument names a secret: `user.password`, `//registry.npmjs.org/:_authToken`, `pypi-token.pypi`. */
function isKey(text: Text, { start, end }: Argument): boolean {
  return keyKindIn(text, start, end) !== undefined || text.string.startsWith('pypi-token.', start);
}

/**
 * Returns the length of the option or prefix before the secret in an argument; -1 if the argument has no such secret.
 */
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

/** Returns the argument if it begins with a dash, and otherwise an empty string. */
function optionIn(text: Text, { start, end }: Argument): string {
  return start < end && text.codes[start] === DASH ? text.string.slice(start, end) : '';
}

function isNextCommand(text: Text, argument: Argument): boolean {
  return isIn(text, argument.start, STARTS_NEXT_COMMAND) && NEXT_COMMAND.some((item) => isWord(text, argument, item));
}

function isWord(text: Text, { start, end }: Argument, word: string): boolean {
  return end - start === word.length && text.string.startsWith(word, start);
}

/** Returns the next argument on the same line, if there is one. */
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
  skippedChars: number,
  separator: string | undefined,
  redact: RedactRange,
): void {
  const { start } = argument;
  if (isQuoted && !(argument.isQuoted && text.codes[start - 1] === SINGLE_QUOTE)) return;
  const end = endOf(text, argument);
  const secretStart = separator ? afterFirst(text, separator, start + skippedChars, end) : start + skippedChars;
  if (secretStart < 0 || isFilledIn(text, secretStart, end) || isFilledIn(text, secretStart, argument.end)) return;
  const isRedacted =
    secretStart > start &&
    isPlaceholder(text, secretStart) &&
    endOfRun(text, secretStart + PLACEHOLDER.length, TRAILING_PUNCTUATION) >= end;
  if (!isRedacted) redact(secretStart, end);
}

function afterFirst(text: Text, char: string, from: number, end: number): number {
  const code = char.charCodeAt(0);
  for (let at = from; at < end; at++) if (text.codes[at] === code) return at + 1;
  return -1;
}
