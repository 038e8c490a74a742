import { createHash } from 'node:crypto';
import { access, constants, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';
import { changedMeanwhile, encode, readTextFile, type TextFile, writeBeside } from './text-file.js';

/** The new text of a file. Paths are absolute. */
export interface FileText {
  readonly path: string;
  /** If the file gets another name. */
  readonly newPath?: string;
  /** SHA-256 of the bytes that the text was made from, in hexadecimal digits; undefined for a new file. */
  readonly hash?: string;
  readonly text: string;
}

interface Replacement {
  /** The path after symbolic links were resolved. */
  readonly from: string;
  readonly to: string;
  readonly temporary: string;
  /** undefined for a new file */
  readonly before: TextFile | undefined;
  readonly mode: number | undefined;
}

/**
 * Writes all files or none, and keeps the encoding and mode of each. Each file is written beside its place first; a
 * failure puts back what was replaced before.
 * @throws FileError `changed meanwhile`, `not found` or `unsupported encoding`
 */
export async function writeTextFiles(files: readonly FileText[]): Promise<void> {
  const replacements: Replacement[] = [];
  const done: Replacement[] = [];
  try {
    for (const file of files) replacements.push(await prepare(file));
    for (const replacement of replacements) assertUnchanged(replacement);
    for (const replacement of replacements) {
      assertUnchanged(replacement);
      await rename(replacement.temporary, replacement.to);
      done.push(replacement);
      if (replacement.from !== replacement.to) await rm(replacement.from);
    }
  } catch (error) {
    for (const replacement of done.toReversed()) await undo(replacement);
    for (const { temporary } of replacements) await rm(temporary, { force: true });
    throw error;
  }
}

async function prepare({ path, newPath, hash, text }: FileText): Promise<Replacement> {
  if (hash === undefined) {
    await assertAbsent(path);
    await mkdir(dirname(path), { recursive: true });
    const temporary = await writeBeside(path, Buffer.from(text), undefined);
    return { from: path, to: path, temporary, before: undefined, mode: undefined };
  }
  const before = await readTextFile(path);
  if (createHash('sha256').update(before.bytes).digest('hex') !== hash) throw changedMeanwhile(path);
  await access(before.path, constants.W_OK);
  if (newPath !== undefined && newPath.toLowerCase() !== path.toLowerCase()) await assertAbsent(newPath);
  const { mode } = await stat(before.path);
  const to = newPath ?? before.path;
  const temporary = await writeBeside(to, encode(text, before.encoding), mode);
  return { from: newPath === undefined ? before.path : path, to, temporary, before, mode };
}

async function assertAbsent(path: string): Promise<void> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw changedMeanwhile(path);
}

function assertUnchanged({ before }: Replacement): void {
  if (before && !readRegularFile(before.path).equals(before.bytes)) throw changedMeanwhile(before.path);
}

async function undo({ from, to, before, mode }: Replacement): Promise<void> {
  if (before) await rename(await writeBeside(from, before.bytes, mode), from);
  if (!before || from !== to) await rm(to, { force: true });
}
