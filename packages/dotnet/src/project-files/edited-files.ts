import { stat, utimes } from 'node:fs/promises';
import { UnreadableFileError } from '@mortise/plugin/runtime';
import { FileError } from './file-error.js';
import { type LineChange, lineChanges } from './line-changes.js';
import { readTextFile, type TextFile, writeTextFile } from './text-file.js';

export interface FileChange extends LineChange {
  readonly file: string;
}

/**
 * Files that a command can change. SDK 10 writes them with the line ends of the platform, and adds or drops the
 * byte-order mark and the last line end. This class restores the former layout and reports the changed lines.
 */
export class EditedFiles {
  readonly #files: Map<string, TextFile | undefined>;

  private constructor(files: Map<string, TextFile | undefined>) {
    this.#files = files;
  }

  static async read(paths: readonly string[]): Promise<EditedFiles> {
    const unique = [...new Set(paths)];
    const files = await Promise.all(unique.map(async (path) => [path, await textFileAt(path)] as const));
    return new EditedFiles(new Map(files));
  }

  /** Restores the layout of changed files. @returns the lines that have changed since the last call, file by file */
  async changes(): Promise<FileChange[]> {
    const changes: FileChange[] = [];
    for (const [file, before] of this.#files) {
      const written = await textFileAt(file);
      if (!written || (before && written.bytes.equals(before.bytes))) continue;
      const now = before ? await withLayout(before, written) : written;
      this.#files.set(file, now);
      changes.push(...lineChanges(before?.text ?? '', now.text).map((change) => ({ file, ...change })));
    }
    return changes;
  }
}

/** Reads a file; returns undefined if it does not exist or cannot be read as text. */
async function textFileAt(path: string): Promise<TextFile | undefined> {
  try {
    return await readTextFile(path);
  } catch (error) {
    const isUnreadable = error instanceof FileError || error instanceof UnreadableFileError;
    if (isUnreadable || (error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}

/**
 * Writes a file again in its former layout. Keeps its modification time, so that the output of a `dotnet restore` that ran
 * after the edit stays newer.
 */
async function withLayout(before: TextFile, written: TextFile): Promise<TextFile> {
  const text = layoutOf(before.text, written.text);
  const isUtf8 = [before, written].every(({ encoding }) => encoding.startsWith('utf-8'));
  const encoding = isUtf8 ? before.encoding : written.encoding;
  if (text === written.text && encoding === written.encoding) return written;
  const { atime, mtime } = await stat(written.path);
  try {
    await writeTextFile({ ...written, encoding }, text);
  } catch (error) {
    // Another program has written the file since, so it stays as it is.
    if (error instanceof FileError) return written;
    throw error;
  }
  await utimes(written.path, atime, mtime);
  return readTextFile(written.path);
}

/** Gives `text` the line ends of `before`, unless those are mixed. The last line gets one only if that of `before` has one. */
function layoutOf(before: string, text: string): string {
  const lineEnds = new Set(before.match(LINE_END));
  const [lineEnd] = lineEnds.size === 1 ? lineEnds : [];
  const unified = lineEnd === undefined ? text : text.replace(LINE_END, lineEnd);
  const [last = ''] = /(?:\r\n|\r|\n)?$/.exec(before)!;
  return before === '' ? unified : withoutLastLineEnds(unified) + last;
}

/** Needs no regular expression, which would scan every run of line ends. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

const LINE_END = /\r\n|\r|\n/g;
