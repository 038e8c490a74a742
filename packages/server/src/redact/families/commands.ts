import { charSet, codeAt, isBefore, isIn, matchEnd, runEnd } from '../chars.js';
import { type Family, type Hide, PLACEHOLDER } from '../scan.js';
import { endAtSpace } from './bare.js';
import { readQuoted } from './quoted.js';

/** Where a command line holds a secret that no option's name shows. */
interface Command {
  readonly names: readonly string[];
  /** Options whose value is secret. */
  readonly options?: readonly string[];
  /** An option whose value follows without a space. */
  readonly gluedOption?: string;
  /** Of `user:password` only what follows the first colon is secret. */
  readonly keepsUser?: true;
  /** The n-th argument (from 0) after this word is secret; options and their values do not count. */
  readonly argument?: { readonly after: string; readonly index: number };
  /** An argument that begins so is secret. */
  readonly prefix?: string;
}

const COMMANDS: readonly Command[] = [
  { names: ['user-secrets'], argument: { after: 'set', index: 1 } },
  { names: ['curl'], options: ['-u', '--user', '-U', '--proxy-user'], gluedOption: '-u', keepsUser: true },
  { names: ['mysql', 'mysqldump', 'mysqladmin', 'mariadb'], gluedOption: '-p' },
  { names: ['sqlcmd', 'bcp', 'zip', 'unzip'], options: ['-P'] },
  { names: ['login', 'dev-certs', 'mongosh', 'mongodump', 'mongorestore'], options: ['-p'] },
  { names: ['sshpass'], options: ['-p'], gluedOption: '-p' },
  { names: ['redis-cli'], options: ['-a'] },
  { names: ['nuget'], options: ['-k'] },
  { names: ['nuget add source', 'nuget update source'], options: ['-p'] },
  { names: ['setapikey'], argument: { after: 'setapikey', index: 0 } },
  { names: ['openssl'], prefix: 'pass:' },
  { names: ['keytool', 'jarsigner'], options: ['-storepass', '-keypass'] },
  { names: ['ConvertTo-SecureString'], options: ['-String'], argument: { after: 'ConvertTo-SecureString', index: 0 } },
];

/** Options before or between the counted arguments that take a value of their own. */
const VALUE_OPTIONS = new Set(['--project', '-p', '--id', '-c', '--configuration', '--file', '-f', '-ConfigFile']);
/** What may stand behind a secret that is hidden, since it belongs to the text around. */
const CLOSERS = charSet(')}\\]>');
const PART_OF_NAME = charSet('\\w-');
const AFTER_NAME = /(?:\.exe)?["']?(?=[ \t])/iy;
const BLANK = charSet(' \\t');
const ASCII_SPACE = charSet('\\s');
const WHITE_SPACE = /\s/;
const MAX_ASCII = 0x7f;
const NEXT_COMMAND: ReadonlySet<string> = new Set(['|', '||', '&&', ';']);

interface Argument {
  /** All of it up to white space, or the inside of its quotes. */
  readonly word: string;
  readonly start: number;
  /** Undefined until it is asked for, of one without quotes. */
  readonly end: number | undefined;
  readonly next: number;
}

/** One family for each row of the table. Each reads its command's line once. */
export const commands: readonly Family[] = COMMANDS.map((command) => ({
  name: `${command.names[0]} arguments`,
  triggers: command.names,
  read: (text, hide) => (at, name) => {
    const from = matchEnd(AFTER_NAME, text, at + name.length);
    if (from < 0 || isBefore(text, at, PART_OF_NAME)) return 0;
    return hideArguments(command, text, from, name, hide);
  },
}));

const NO_OPTIONS: readonly string[] = [];

function hideArguments(command: Command, text: string, from: number, name: string, hide: Hide): number {
  const { options = NO_OPTIONS, gluedOption, argument: counted, prefix } = command;
  let at = from;
  let previous = name;
  let count = counted?.after === name ? 0 : -1;
  for (let argument = argumentAt(text, at); argument; argument = argumentAt(text, at)) {
    at = argument.next;
    const { word } = argument;
    if (NEXT_COMMAND.has(word)) break;
    const option = options.find(
      (each) => previous === each || (each.startsWith('--') && word[each.length] === '=' && word.startsWith(each)),
    );
    const isOption = word.startsWith('--') || VALUE_OPTIONS.has(word);
    if (option) {
      hideSecret(command, text, argument, previous === option ? 0 : option.length + 1, hide);
    } else if (gluedOption && word.startsWith(gluedOption) && !options.includes(word)) {
      hideSecret(command, text, argument, gluedOption.length, hide);
    } else if (prefix && word.startsWith(prefix)) {
      hideSecret(command, text, argument, prefix.length, hide);
    } else if (counted && word === counted.after) {
      count = 0;
    } else if (counted && count >= 0 && !isOption && !VALUE_OPTIONS.has(previous)) {
      if (count === counted.index) hideSecret(command, text, argument, 0, hide);
      count++;
    }
    previous = word;
  }
  return at;
}

/** The next argument on the same line. */
function argumentAt(text: string, from: number): Argument | undefined {
  const start = runEnd(text, from, BLANK);
  const quoted = readQuoted(text, start);
  if (quoted) return { ...quoted, word: text.slice(quoted.start, quoted.end) };
  const next = endOfWord(text, start);
  return next === start ? undefined : { word: text.slice(start, next), start, end: undefined, next };
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text, at)) at++;
  return at;
}

function isSpace(text: string, at: number): boolean {
  return isIn(text, at, ASCII_SPACE) || (codeAt(text, at) > MAX_ASCII && WHITE_SPACE.test(text[at]!));
}

function endOf(text: string, { start, end }: Argument): number {
  if (end !== undefined) return end;
  return text.startsWith(PLACEHOLDER, start) ? start + PLACEHOLDER.length : endAtSpace(text, start);
}

function hideSecret({ keepsUser }: Command, text: string, argument: Argument, skip: number, hide: Hide): void {
  const { start } = argument;
  const end = endOf(text, argument);
  const from = start + skip;
  const colon = keepsUser ? text.slice(from, end).indexOf(':') : -1;
  if (keepsUser && colon < 0) return;
  const secret = from + colon + 1;
  const isHidden =
    secret > start && text.startsWith(PLACEHOLDER, secret) && runEnd(text, secret + PLACEHOLDER.length, CLOSERS) >= end;
  if (!isHidden) hide(secret, end);
}
