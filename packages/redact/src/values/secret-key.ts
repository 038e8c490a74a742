import { BYTES, charSet, codeAt, LETTER, UNDERSCORE } from '../scanning/chars.js';
import { Text } from '../scanning/text.js';

/**
 * The kind of secret that a key names; undefined if its value is not a secret. With `pair`, only `user:password` in
 * Base64 is a secret (`auth` in the Docker configuration).
 */
export type KeyKind = 'secret' | 'cookie' | 'authorization' | 'pair' | undefined;

type Meaning = Exclude<KeyKind, undefined> | 'harmless';

/** The meaning of keys that end in certain words; a space followed by a question mark is an optional space. */
interface Suffixes {
  readonly meaning: Meaning;
  readonly suffixes: readonly string[];
  /** True if letters and digits can be directly before the first word (`PGPASSWORD`). */
  readonly mayBeJoined?: true;
}

const SUFFIXES: readonly Suffixes[] = [
  { meaning: 'cookie', suffixes: ['cookie', 'setcookie'] },
  { meaning: 'authorization', suffixes: ['authorization'] },
  { meaning: 'pair', suffixes: ['auth'] },
  {
    meaning: 'secret',
    suffixes: [
      ...['password', 'passwd', 'passphrase', 'passcode', 'secret', 'passwords', 'passphrases', 'secrets'],
      ...['api', 'access', 'account', 'private', 'secret'].map((word) => `${word} ?key`),
      ...['decryption', 'encryption'].map((word) => `${word} ?key`),
      'secret ?key ?base',
    ],
    mayBeJoined: true,
  },
  {
    meaning: 'secret',
    suffixes: [
      ...['psk', 'pwd', 'pass', 'token', 'credential', 'credentials'],
      ...['db', 'ftp', 'http', 'key', 'mail', 'proxy', 'require', 'root', 'smtp', 'ssh', 'store', 'user'].map(
        (word) => `${word}pass`,
      ),
      ...['access', 'api', 'auth', 'bearer', 'id', 'identity', 'refresh', 'registry', 'security', 'session'].map(
        (word) => `${word}token`,
      ),
      // Keys that encrypt, sign or admit.
      ...['aes', 'auth', 'cipher', 'client', 'deploy', 'fernet', 'function', 'functions', 'hmac', 'jwt', 'license'].map(
        (word) => `${word} ?key`,
      ),
      ...['master', 'rsa', 'sas', 'service', 'session', 'shared', 'signature', 'signing', 'ssh', 'storage'].map(
        (word) => `${word} ?key`,
      ),
      ...['subscription', 'validation', 'webhook', 'write'].map((word) => `${word} ?key`),
      ...['admin', 'app', 'application', 'ingestion', 'restricted', 'role'].map((word) => `${word} ?key`),
      // Lists of keys and tokens. `tokens` alone is not among them, because it is usually a count.
      ...['api', 'account', 'private', 'secret', 'encryption', 'signing'].map((word) => `${word} ?keys`),
      'access keys',
      ...['access', 'api', 'auth', 'bearer', 'refresh', 'session'].map((word) => `${word} ?tokens`),
      'auth ?ident',
    ],
  },
  {
    // Keys and tokens that are not credentials. A type's name can be before a variable: `CancellationToken token`.
    meaning: 'harmless',
    suffixes: [
      'public ?key',
      'next',
      'next ?page',
      'page',
      'continuation',
      'sync',
      'cancellation',
      'progress',
      'resumption',
      'unexpected',
      // Counts: `max_token => 10_000`.
      ...['max', 'min', 'num', 'total'],
    ].flatMap((word) => [`${word} ?token`, `${word} ?token token`]),
  },
];

/** In order of precedence: the first meaning that is found wins. */
const MEANINGS: readonly Meaning[] = ['cookie', 'authorization', 'harmless', 'secret', 'pair'];

/** Only the end of longer keys is read. */
const MAX_KEY_CHARS = 100;

const FAN_OUT_BITS = 5;
const FAN_OUT = 1 << FAN_OUT_BITS;
const SPACE = 0;

/** The last letters of all suffixes. */
const LAST_LETTERS = lastLetters();

/** The classes of characters. Letters have the highest numbers. */
const OTHER = 0;
const DIGIT = 1;
const SMALL = 2;
const CAPITAL = 3;
const CLASSES = Uint8Array.from({ length: BYTES }, (_, code) => classOf(String.fromCharCode(code)));

/**
 * A tree of all suffixes, read backwards, over the low five bits of each character. `joined` and `whole` have the
 * meanings of the suffixes that begin in a state, as bits, by state / 32: of those that may be joined to other letters,
 * and of the others.
 */
const { next, joined, whole } = treeOf(SUFFIXES);

/**
 * Returns the kind of secret that a key names by its last words (docs/spec/redaction.md#secret-keys). Numbers at the
 * end of the key are ignored.
 */
export function keyKindIn(text: Text, start: number, end: number): KeyKind {
  const { codes } = text;
  const floor = Math.max(start, end - MAX_KEY_CHARS);
  let at = end;
  while (at > floor && CLASSES[codes[at - 1]!]! < SMALL) at--;
  let state = 0;
  let found = 0;
  let after = OTHER;
  let char = at > floor ? CLASSES[codes[at - 1]!]! : OTHER;
  while (char >= SMALL) {
    at--;
    state = next[state | (codes[at]! & (FAN_OUT - 1))]!;
    if (state === 0) break;
    found |= joined[state >> FAN_OUT_BITS]!;
    let before = at > floor ? CLASSES[codes[at - 1]!]! : OTHER;
    if (isWordStart(before, char, after)) {
      found |= whole[state >> FAN_OUT_BITS]!;
      state = next[state | SPACE]!;
      if (state === 0) break;
    }
    after = before === OTHER ? OTHER : char;
    while (before === OTHER && at > floor) before = --at > floor ? CLASSES[codes[at - 1]!]! : OTHER;
    char = before;
  }
  const kind = HEAVIEST[found];
  return kind === 'pair' && isNpmAuth(text, start, end) ? 'secret' : kind;
}

/** True for npm's key `_auth`. */
function isNpmAuth(text: Text, start: number, end: number): boolean {
  return end - start === '_auth'.length && codeAt(text, start) === UNDERSCORE;
}

/** The kind that takes precedence, by the bits of all meanings that were found. */
const HEAVIEST: readonly KeyKind[] = Array.from({ length: 1 << MEANINGS.length }, (_, found) => {
  const meaning = MEANINGS.find((_, bit) => (found & (1 << bit)) !== 0);
  return meaning === 'harmless' ? undefined : meaning;
});

/**
 * A word starts after a character that is not a letter or digit, at a capital after a lower-case letter or digit, and
 * at the last of several capitals if a lower-case letter follows.
 */
function isWordStart(before: number, char: number, after: number): boolean {
  return before === OTHER || (char === CAPITAL && (before !== CAPITAL || after === SMALL));
}

/** The same as `keyKindIn`, for a whole string. */
export function keyKind(key: string): KeyKind {
  return mayEndInSecretWord(key) ? keyKindIn(new Text(key), 0, key.length) : undefined;
}

/** A fast check: false if the key certainly ends in no suffix. */
function mayEndInSecretWord(key: string): boolean {
  for (let at = key.length - 1; at >= 0; at--) {
    const code = key.charCodeAt(at);
    if (LETTER[code] === 1) return LAST_LETTERS[code] === 1;
  }
  return false;
}

/** True if keys that end in this word have the same kind, whatever is before the word. */
export function decidesAlone(word: string): boolean {
  const mayBeJoined = SUFFIXES.some((row) => row.mayBeJoined && row.suffixes.includes(word));
  const suffixes = SUFFIXES.flatMap((row) => row.suffixes.flatMap(spellings));
  return mayBeJoined && !suffixes.some((suffix) => suffix !== word && suffix.endsWith(word));
}

/**
 * True if every string under this key is secret, because of the key's last words (docs/spec/redaction.md#secret-keys).
 */
export function isSecretKey(key: string): boolean {
  const kind = keyKind(key);
  return kind === 'secret' || kind === 'cookie';
}

function lastLetters() {
  const letters = SUFFIXES.flatMap(({ suffixes }) => suffixes).map((suffix) => suffix.slice(-1));
  return charSet([...letters, ...letters.map((letter) => letter.toUpperCase())].join(''));
}

function classOf(char: string): number {
  if (/\d/.test(char)) return DIGIT;
  if (/[a-z]/.test(char)) return SMALL;
  return /[A-Z]/.test(char) ? CAPITAL : OTHER;
}

function treeOf(rows: readonly Suffixes[]) {
  const spelledRows = rows.flatMap((row) => row.suffixes.flatMap(spellings).map((suffix) => ({ ...row, suffix })));
  const states = 1 + spelledRows.reduce((sum, { suffix }) => sum + suffix.length, 0);
  const tree = {
    next: new Uint16Array(states * FAN_OUT),
    joined: new Uint8Array(states),
    whole: new Uint8Array(states),
  };
  let last = 0;
  for (const { suffix, meaning, mayBeJoined } of spelledRows) {
    let state = 0;
    for (let at = suffix.length - 1; at >= 0; at--) {
      const edge = state | (suffix.charCodeAt(at) & (FAN_OUT - 1));
      if (tree.next[edge] === 0) tree.next[edge] = ++last * FAN_OUT;
      state = tree.next[edge]!;
    }
    (mayBeJoined ? tree.joined : tree.whole)[state >> FAN_OUT_BITS]! |= 1 << MEANINGS.indexOf(meaning);
  }
  return tree;
}

function spellings(suffix: string): string[] {
  return suffix.includes(' ?') ? [' ', ''].flatMap((space) => spellings(suffix.replace(' ?', space))) : [suffix];
}
