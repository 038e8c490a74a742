import { ASSIGNMENT_SHAPES } from './assignment-shapes.js';
import { sample } from './sample.js';
import { TEXT_SHAPES } from './text-shapes.js';
import { TOKEN_SHAPES } from './token-shapes.js';
import { VALUE_SHAPES } from './value-shapes.js';

/** A text or JSON value that holds secrets, none of them real. */
export interface SecretRow {
  readonly detector: string;
  /** A text when it is a string. */
  readonly input: unknown;
  /** Parts of the secrets: none of them may be seen after redaction, in whatever form `given` travels. */
  readonly secrets: readonly string[];
  /** Words, of letters and digits alone, that must still be there. */
  readonly stays: readonly string[];
}

/** Secrets by the mark that they replace in the tables. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  w: ['hunter2Zq8', 'Tr0ub4dor-3x!Kf', 'aB3dE5fG7hJ9kL1m'],
  q: ['correct 9horse battery7', 'p@ss w0rd, #Kf9x!Q'],
  t: ['hunter2Zq8aB3dE5fG7h', 'aB3dE5fG7hJ9kL1mN2pQ'],
  s: ['correct 9horse battery7', 'p@ss w0rd #Kf9x!Q'],
  b: [encoded('bob:hunter2Zq8'), encoded('svc-account:Tr0ub4dor-3x!Kf')],
  k: [`MIIEvQIBADAN${sample('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 160)}`],
};
const VALUE_SECRETS = ['hunter2Zq8', 'correct 9horse battery7'];

const VARIABLE = /‹([a-z])›/;
const CONTEXTS = [(token: string) => token, (token: string) => `got ${token}, stored`];
const MIN_PART_CHARS = 4;

/** Every secret of the corpus in every surrounding: what `text-shapes`, `value-shapes` and `token-shapes` say, written out. */
export const SECRET_ROWS: readonly SecretRow[] = [
  ...rowsOf(TEXT_SHAPES, textRows),
  ...rowsOf(ASSIGNMENT_SHAPES, textRows),
  ...rowsOf(VALUE_SHAPES, (shape) => VALUE_SECRETS.map((secret) => valueRow(shape(secret), secret))),
  ...rowsOf(TOKEN_SHAPES, tokenRows),
];

type Row = Omit<SecretRow, 'detector'>;

function rowsOf<T>(detectors: Readonly<Record<string, readonly T[]>>, rows: (shape: T) => readonly Row[]): SecretRow[] {
  return Object.entries(detectors).flatMap(([detector, shapes]) =>
    shapes.flatMap(rows).map((row) => ({ detector, ...row })),
  );
}

/** One row for each secret that its marks stand for; a row of several marks has several secrets. */
function textRows(shape: string): Row[] {
  const kind = VARIABLE.exec(shape)?.[1] ?? '';
  return SECRETS[kind]!.map((_, index) => {
    const secrets: string[] = [];
    const input = shape.replaceAll(/‹([a-z])›/g, (_, letter: string) => {
      const list = SECRETS[letter]!;
      const secret = list[(index + secrets.length) % list.length]!;
      secrets.push(secret);
      return secret;
    });
    return {
      input,
      secrets: [...new Set(secrets.flatMap(partsOf))],
      stays: wordsOf(shape.replaceAll(/‹[a-z]›/g, ' ')),
    };
  });
}

function valueRow(input: unknown, secret: string): Row {
  return { input, secrets: [secret, encoded(`bob:${secret}`), ...partsOf(secret)], stays: [] };
}

function tokenRows(shape: string): Row[] {
  const secret = shape.slice(shape.lastIndexOf('|') + 1);
  return CONTEXTS.map((surround) => ({
    input: surround(shape.replaceAll('|', '')),
    secrets: [secret, secret.slice(-12), secret.slice(4, 16)].filter((part) => part.length >= MIN_PART_CHARS),
    stays: surround('') === '' ? [] : ['stored'],
  }));
}

/** The secret, and those of its words by which it could be told. */
function partsOf(secret: string): string[] {
  return [secret, ...(secret.match(/[A-Za-z0-9]+/g) ?? []).filter((part) => part.length > MIN_PART_CHARS)];
}

/** The words of a shape, without the letters of escapes. */
function wordsOf(shape: string): string[] {
  const plain = shape.replaceAll(/\\+u[\da-fA-F]{4}|\\+x[\da-fA-F]{2}|\\+[nrt]?|%(?:25)?[\da-fA-F]{2}|&#?\w+;/g, ' ');
  return [...new Set(plain.match(/[A-Za-z0-9]{3,}/g) ?? [])].filter((word) => !/BEGIN|END|PRIVATE|KEY|RSA/.test(word));
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64');
}
