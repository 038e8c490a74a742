import { readRegularFile, UnreadableFileError } from '@mortise/plugin/runtime';

export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `why` completes "it cannot be read: …". */
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * The text of a file, without its byte order mark: UTF-8, or UTF-16 with a byte order mark (as PowerShell writes it).
 * Never throws because of the file, never blocks on one that is not a regular file, and never reads more than `maxBytes`.
 */
export function readTextFile(path: string, maxBytes: number): TextFile {
  try {
    const text = decode(readRegularFile(path, maxBytes));
    return text === undefined ? { kind: 'unreadable', why: 'it is not UTF-8 text' } : { kind: 'text', text };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { kind: 'unreadable', why: error.why };
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    throw error;
  }
}

function decode(bytes: Buffer): string | undefined {
  const firstBytes = bytes.subarray(0, 2).toString('hex');
  const encoding = firstBytes === 'fffe' ? 'utf-16le' : firstBytes === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
}
