import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/**
 * These flags prevent waiting for the writer of a named pipe, and a terminal becoming the controlling one. Windows has
 * neither.
 */
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Record<string, number | undefined>;
const READ_AT_ONCE = (O_RDONLY ?? 0) | O_NONBLOCK | O_NOCTTY;

const MAX_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 65_536;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the path is too long',
  ENXIO: 'it is a socket or a device',
  ERR_INVALID_ARG_VALUE: 'the path holds a NUL character',
};

/**
 * A file that exists but is not read: a named pipe, a device, a folder, or a file that is too large or not permitted.
 */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  constructor(
    readonly path: string,
    /** Completes the sentence "it cannot be read: …". */
    readonly why: string,
    /** The operating system's error code, or EISDIR, EINVAL or EFBIG. */
    readonly code: string,
  ) {
    super(`${path} cannot be read: ${why}`);
  }
}

/**
 * Reads a regular file; symbolic links are followed. Never blocks, because the opened file is checked before it is
 * read.
 * @param maxBytes default 256 MiB
 * @throws UnreadableFileError, or the operating system's own error (ENOENT, ENOTDIR) if there is no such file
 */
export function readRegularFile(path: string, maxBytes = MAX_BYTES): Buffer {
  let file: number;
  try {
    file = openSync(path, READ_AT_ONCE);
  } catch (error) {
    throw explained(path, error);
  }
  try {
    const stats = fstatSync(file);
    const kind = kindOf(stats);
    if (kind !== undefined)
      throw new UnreadableFileError(path, `it is ${kind}`, kind === 'a folder' ? 'EISDIR' : 'EINVAL');
    const tooLarge = new UnreadableFileError(path, `it is larger than ${maxBytes} bytes`, 'EFBIG');
    if (stats.size > maxBytes) throw tooLarge;
    const bytes = readToEnd(file, maxBytes + 1, stats.size);
    if (bytes.length > maxBytes) throw tooLarge;
    return bytes;
  } catch (error) {
    throw explained(path, error);
  } finally {
    closeSync(file);
  }
}

/** Reads a regular file as UTF-8. See {@link readRegularFile} for links, limits and errors. */
export function readRegularText(path: string, maxBytes?: number): string {
  return readRegularFile(path, maxBytes).toString('utf8');
}

/** Reads piece by piece, because a file can grow, and files in /proc do not report their length. */
function readToEnd(file: number, maxBytes: number, size: number): Buffer {
  const pieces: Buffer[] = [];
  let total = 0;
  while (total < maxBytes) {
    const piece = Buffer.allocUnsafe(Math.min(Math.max(PIECE_BYTES, size - total), maxBytes - total));
    const count = readSync(file, piece);
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    total += count;
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

function kindOf(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

function explained(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof UnreadableFileError || code === undefined || code === 'ENOENT' || code === 'ENOTDIR')
    return error;
  return new UnreadableFileError(path, REASONS[code] ?? code, code);
}
