import { stat, utimes } from 'node:fs/promises';
import { UnreadableFileError } from '@mortise/plugin/runtime';
import { FileError } from './file-error.js';
import { type LineChange, lineChanges } from './line-changes.js';
import { readTextFile, type TextFile, writeTextFile } from './text-file.js';

/** A line of a file that a command changed. */
export interface FileChange extends LineChange {
  /** Absolute. */
  readonly file: string;
}

/**
 * Files that a command may change. It writes them with the line ends of the platform, with or without byte-order mark and
 * last line end as it likes (SDK 10); each gets those that it had back.
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

  /** The lines that were changed since the last look, in the order of the files. */
  async changes(): Promise<FileChange[]> {
    const all: FileChange[] = [];
    for (const [file, before] of this.#files) {
      const written = await textFileAt(file);
      if (!written || (before && written.bytes.equals(before.bytes))) continue;
      const now = before ? await withLayout(before, written) : written;
      this.#files.set(file, now);
      all.push(...lineChanges(before?.text ?? '', now.text).map((change) => ({ file, ...change })));
    }
    return all;
  }
}

/** Undefined if there is no such file, or none that can be read as text. */
async function textFileAt(path: string): Promise<TextFile | undefined> {
  try {
    return await readTextFile(path);
  } catch (error) {
    const isUnreadable = error instanceof FileError || error instanceof UnreadableFileError;
    if (isUnreadable || (error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}

/** Writes the file again, if its layout differs. Its time stays: what was restored since is still newer. */
async function withLayout(before: TextFile, written: TextFile): Promise<TextFile> {
  const text = layoutOf(before.text, written.text);
  const isUtf8 = [before, written].every(({ encoding }) => encoding.startsWith('utf-8'));
  const encoding = isUtf8 ? before.encoding : written.encoding;
  if (text === written.text && encoding === written.encoding) return written;
  const { atime, mtime } = await stat(written.path);
  try {
    await writeTextFile({ ...written, encoding }, text);
  } catch (error) {
    // Another program has written it since: it is not ours any more.
    if (error instanceof FileError) return written;
    throw error;
  }
  await utimes(written.path, atime, mtime);
  return readTextFile(written.path);
}

/** The text with the line ends of the other one, if that has only one kind, and with or without one at its end. */
function layoutOf(before: string, text: string): string {
  const lineEnds = new Set(before.match(LINE_END));
  const [lineEnd] = lineEnds.size === 1 ? lineEnds : [];
  const unified = lineEnd === undefined ? text : text.replace(LINE_END, lineEnd);
  const [last = ''] = /(?:\r\n|\r|\n)?$/.exec(before)!;
  return before === '' ? unified : withoutLastLineEnds(unified) + last;
}

/** By hand, because a regular expression would look at every run of line ends. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

const LINE_END = /\r\n|\r|\n/g;
