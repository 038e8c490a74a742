import { randomUUID } from 'node:crypto';
import { access, constants, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';
import { FileError } from './file-error.js';

type Encoding = 'utf-8' | 'utf-8 with BOM' | 'utf-16le' | 'utf-16be';

/** A text file that was read, with everything that {@link writeTextFile} needs to replace it. */
export interface TextFile {
  /** The path, with symbolic links resolved. */
  readonly path: string;
  /** The text without the byte-order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8 with BOM', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

const DECLARATION = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']*)/;

/**
 * Reads a file in UTF-8, with or without a byte-order mark, or in UTF-16 with one.
 * @throws FileError `not found` or `unsupported encoding`
 */
export async function readTextFile(path: string): Promise<TextFile> {
  const target = await resolveFile(path);
  const bytes = readRegularFile(target);
  return { path: target, bytes, ...decodeText(bytes, path) };
}

/**
 * Replaces the text of a file atomically, and keeps its encoding and mode. Nothing is written if another program has
 * written the file since it was read.
 * @throws FileError `changed meanwhile` or `not found`
 */
export async function writeTextFile(file: TextFile, text: string): Promise<void> {
  const path = await resolveFile(file.path);
  await access(path, constants.W_OK);
  const { mode } = await stat(path);
  await replace(path, encode(text, file.encoding), mode, async () => {
    if (!readRegularFile(path).equals(file.bytes)) throw changedMeanwhile(path);
  });
}

/**
 * Writes a new file in UTF-8, and creates missing folders.
 * @throws FileError `changed meanwhile` if the file exists
 */
export async function createTextFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await replace(path, Buffer.from(text), undefined, async () => {
    const exists = await lstat(path).then(
      () => true,
      () => false,
    );
    if (exists) throw changedMeanwhile(path);
  });
}

async function replace(
  path: string,
  bytes: Buffer,
  mode: number | undefined,
  check: () => Promise<void>,
): Promise<void> {
  const temporary = await writeBeside(path, bytes, mode);
  try {
    await check();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Returns an unused path in the folder of `path`. */
export const temporaryFor = (path: string): string => join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);

/** Writes bytes to `temporary`, a new file that can be renamed to `path`. @returns `temporary` */
export async function writeBeside(
  path: string,
  bytes: Buffer,
  mode: number | undefined,
  temporary = temporaryFor(path),
): Promise<string> {
  try {
    const handle = await open(temporary, 'wx');
    try {
      if (mode !== undefined) await handle.chmod(mode & 0o7777);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Resolves symbolic links. @throws FileError `not found` if the path does not lead to a file */
async function resolveFile(path: string): Promise<string> {
  try {
    const target = await realpath(path);
    if ((await stat(target)).isFile()) return target;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  throw new FileError('not found', `File not found: ${path}`, 'Give the path of a file that exists.');
}

export function changedMeanwhile(path: string): FileError {
  return new FileError(
    'changed meanwhile',
    `${path} was modified by another program; nothing was written`,
    'Try again.',
  );
}

/**
 * Decodes the bytes of a file. The text has no byte-order mark.
 * @param path the path to name in the error
 * @throws FileError `unsupported encoding`
 */
export function decodeText(bytes: Buffer, path: string): { text: string; encoding: Encoding } {
  const [encoding, byteOrderMark] = BYTE_ORDER_MARKS.find(([, start]) =>
    bytes.subarray(0, start.length).equals(start),
  ) ?? ['utf-8' as const, Buffer.alloc(0)];
  const name = encoding === 'utf-8 with BOM' ? 'utf-8' : encoding;
  try {
    const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(byteOrderMark.length));
    const declared = DECLARATION.exec(text)?.[1] ?? name;
    if (encoding !== 'utf-8' || /^(?:utf-(?:8|16)|us-ascii)$/i.test(declared)) return { text, encoding };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new FileError(
    'unsupported encoding',
    `${path} is not ${name} text`,
    'Save the file as UTF-8, or as UTF-16 with a byte-order mark.',
  );
}

export function encode(text: string, encoding: Encoding): Buffer {
  const byteOrderMark = BYTE_ORDER_MARKS.find(([name]) => name === encoding)?.[1] ?? Buffer.alloc(0);
  const bytes = Buffer.from(text, encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf16le' : 'utf8');
  return Buffer.concat([byteOrderMark, encoding === 'utf-16be' ? bytes.swap16() : bytes]);
}
