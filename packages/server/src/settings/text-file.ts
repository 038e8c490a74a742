import { closeSync, openSync, readSync, statSync } from 'node:fs';

export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `why` completes "it cannot be read: …". */
  | { readonly kind: 'unreadable'; readonly why: string };

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'the path is too long',
  ERR_INVALID_ARG_VALUE: 'the path holds a NUL character',
};

/**
 * The text of a file, without its byte order mark: UTF-8, or UTF-16 with a byte order mark (as PowerShell writes it).
 * Never throws for what is wrong with the file, and never reads more than `maxBytes`.
 */
export function readTextFile(path: string, maxBytes: number): TextFile {
  try {
    if (statSync(path).isDirectory()) return { kind: 'unreadable', why: REASONS.EISDIR! };
    const bytes = readBytes(path, maxBytes + 1);
    if (bytes.length > maxBytes) return { kind: 'unreadable', why: `it is larger than ${maxBytes} bytes` };
    const text = decode(bytes);
    return text === undefined ? { kind: 'unreadable', why: 'it is not UTF-8 text' } : { kind: 'text', text };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unreadable', why: REASONS[code] ?? code };
  }
}

/** Reads piece by piece: pipes and devices do not say how much they hold. */
function readBytes(path: string, maxBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    let total = 0;
    while (total < maxBytes) {
      const piece = Buffer.allocUnsafe(Math.min(65_536, maxBytes - total));
      const count = readSync(file, piece);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      total += count;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer): string | undefined {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
}
