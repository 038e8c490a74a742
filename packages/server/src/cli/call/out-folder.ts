import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import { extensionOf } from '@mortise/plugin/runtime';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { createFolder } from '../../util/create-folder.js';
import { CliError } from '../shared/cli-error.js';
import type { Terminal } from '../shared/terminal.js';

/** Returns the file to which a part of a result was written; undefined for text, and without `--out`. */
export type FileOf = (part: ContentBlock | ResourceContents) => string | undefined;

/**
 * Creates the folder of `--out` and returns its absolute path.
 * @param path relative to the working directory
 * @throws CliError if the folder cannot be created
 */
export function openOutFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const folder = resolve(readProcessEnvironment().cwd, path);
  try {
    createFolder(folder);
  } catch (error) {
    const message = `The folder ${folder} cannot be created: ${(error as Error).message}`;
    throw new CliError('usage', { message, hint: 'Name a folder that you can write to.' });
  }
  return folder;
}

/**
 * Writes images, audio and blobs to files in the folder, and prints their names to stderr. It never replaces a file,
 * but uses the next free number.
 */
export function writeParts(
  parts: readonly (ContentBlock | ResourceContents)[],
  folder: string | undefined,
  terminal: Terminal,
): FileOf {
  const files = new Map<unknown, string>();
  for (const part of folder === undefined ? [] : parts) {
    const bytes = bytesOf(part);
    if (bytes === undefined) continue;
    const { mimeType = '', data } = bytes;
    const kind = /^(?:image|audio)(?=\/)/.exec(mimeType)?.[0] ?? 'resource';
    const file = writeNext(join(folder!, kind), extensionOf(mimeType), Buffer.from(data, 'base64'));
    files.set(part, file);
    terminal.err(`Wrote ${file}`);
  }
  return (part) => files.get(part);
}

function bytesOf(part: ContentBlock | ResourceContents): { mimeType?: string | undefined; data: string } | undefined {
  if ('type' in part && (part.type === 'image' || part.type === 'audio')) return part;
  const contents = 'type' in part ? (part.type === 'resource' ? part.resource : undefined) : part;
  if (contents === undefined || !('blob' in contents)) return undefined;
  return { mimeType: contents.mimeType, data: contents.blob };
}

function writeNext(stem: string, extension: string, bytes: Buffer): string {
  for (let number = 1; ; number += 1) {
    const file = `${stem}-${number}.${extension}`;
    try {
      writeFileSync(file, bytes, { flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new CliError('failed', { message: `${file} cannot be written: ${(error as Error).message}` });
    }
  }
}
