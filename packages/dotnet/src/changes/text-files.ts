import { access, constants, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from '@mortise/plugin/runtime';
import {
  changedMeanwhile,
  encode,
  readTextFile,
  type TextFile,
  temporaryFor,
  writeBeside,
} from '../project-files/text-file.js';
import { type Replacement, sha256, undo, type WriteJournal } from './write-journal.js';

/** The new text of a file. Paths are absolute. */
export interface FileText {
  readonly path: string;
  /** The path under which the file is written, if it is renamed. */
  readonly newPath?: string;
  /** SHA-256 of the bytes that the text was made from, in hexadecimal digits; undefined for a new file. */
  readonly hash?: string;
  readonly text: string;
}

interface PreparedFile {
  readonly replacement: Replacement;
  /** undefined for a new file */
  readonly before: TextFile | undefined;
  readonly after: Buffer;
}

/**
 * Writes all files or none, and keeps the encoding and mode of each. All new files are written beside the old ones
 * before the first old one is replaced. If a step fails, the replaced files are restored; if the process is killed,
 * another process restores them from the journal.
 * @throws FileError `changed meanwhile`, `not found` or `unsupported encoding`
 */
export async function writeTextFiles(files: readonly FileText[], journal: WriteJournal): Promise<void> {
  const prepared: PreparedFile[] = [];
  for (const file of files) prepared.push(await prepare(file));
  const replacements = prepared.map(({ replacement }) => replacement);
  const end = await journal.begin(replacements);
  try {
    for (const { replacement, after } of prepared)
      await writeBeside(replacement.to, after, replacement.mode, replacement.temporary);
    for (const { before } of prepared) assertUnchanged(before);
    for (const { replacement, before } of prepared) {
      assertUnchanged(before);
      await replace(replacement);
    }
  } catch (error) {
    await undo(replacements);
    await end();
    throw error;
  }
  await end();
}

async function prepare({ path, newPath, hash, text }: FileText): Promise<PreparedFile> {
  if (hash === undefined) {
    await assertAbsent(path);
    await mkdir(dirname(path), { recursive: true });
    return preparedFile(path, path, Buffer.from(text), undefined, undefined);
  }
  const before = await readTextFile(path);
  if (sha256(before.bytes) !== hash) throw changedMeanwhile(path);
  await access(before.path, constants.W_OK);
  if (newPath !== undefined && newPath.toLowerCase() !== path.toLowerCase()) await assertAbsent(newPath);
  const { mode } = await stat(before.path);
  const from = newPath === undefined ? before.path : path;
  return preparedFile(from, newPath ?? before.path, encode(text, before.encoding), before, mode);
}

function preparedFile(
  from: string,
  to: string,
  after: Buffer,
  before: TextFile | undefined,
  mode: number | undefined,
): PreparedFile {
  const [temporary, afterHash] = [temporaryFor(to), sha256(after)];
  const replacement = { from, to, temporary, before: before?.bytes.toString('base64'), afterHash, mode };
  return { replacement, before, after };
}

async function assertAbsent(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) throw changedMeanwhile(path);
}

function assertUnchanged(before: TextFile | undefined): void {
  if (before && !readRegularFile(before.path).equals(before.bytes)) throw changedMeanwhile(before.path);
}

async function replace({ from, to, temporary }: Replacement): Promise<void> {
  await rename(temporary, to);
  if (from !== to) await rm(from);
}
