import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { tryOs } from '../../util/ignore-os-errors.js';

export interface AuditFileOptions {
  /** Absolute path. */
  readonly file: string;
  /** The file is rotated before it would exceed this size. */
  readonly maxBytes: number;
  /** Days after which rotated files are removed. */
  readonly retentionDays: number;
  readonly now?: () => Date;
}

const DAY_MS = 86_400_000;
const OWNER_ONLY = 0o600;
/** With O_NONBLOCK, opening a FIFO fails instead of waiting for a reader. */
const OPEN_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * The file of the audit. Several servers can use the same file, because each line is appended by a single write. If the
 * file was removed, or rotated by another server, the next line begins a new one. The file is rotated by size and by
 * day (UTC).
 */
export class AuditFile {
  readonly #options: Required<AuditFileOptions>;
  #fd: number | undefined;
  /** The UTC day of the file's lines. */
  #day = '';
  /** True if the last write was incomplete, so that the next one must begin with a line end. */
  #isTorn = false;

  constructor(options: AuditFileOptions) {
    this.#options = { now: () => new Date(), ...options };
  }

  /** Opens the file and removes expired rotated files. @throws Error if the file cannot be written */
  open(): void {
    this.#reopen();
    this.#removeExpired();
  }

  /** @param line without a line end @throws Error if the line cannot be written */
  append(line: string): void {
    this.#reopenIfReplaced();
    const text = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`);
    this.#rotateFor(text.length);
    const writtenBytes = writeSync(this.#fd!, text);
    this.#isTorn = writtenBytes < text.length;
    if (this.#isTorn) throw new Error('the disk is full');
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #reopenIfReplaced(): void {
    const opened = this.#fd === undefined ? undefined : fstatSync(this.#fd);
    const atPath = tryOs(() => statSync(this.#options.file));
    if (!opened || !atPath || opened.ino !== atPath.ino || opened.dev !== atPath.dev) this.#reopen();
  }

  #reopen(): void {
    this.close();
    this.#isTorn = false;
    const fd = openSync(this.#options.file, OPEN_FLAGS, OWNER_ONLY);
    const stats = fstatSync(fd);
    if (!stats.isFile()) {
      closeSync(fd);
      throw new Error('it is not a regular file');
    }
    if ((stats.mode & 0o777) !== OWNER_ONLY && process.platform !== 'win32') fchmodSync(fd, OWNER_ONLY);
    this.#fd = fd;
    this.#day = dayOf(stats.size > 0 ? stats.mtime : this.#options.now());
  }

  #rotateFor(bytes: number): void {
    const { file, maxBytes, now } = this.#options;
    const { size } = fstatSync(this.#fd!);
    if (size === 0 || (size + bytes <= maxBytes && this.#day === dayOf(now()))) return;
    // This fails if another server has just rotated the file.
    tryOs(() => renameSync(file, freePath(file, now())));
    this.#reopen();
    this.#removeExpired();
  }

  /**
   * Removes a rotated file only if it is older than `retentionDays` and files of as many later days exist. Otherwise a
   * clock that jumps forward would remove everything.
   */
  #removeExpired(): void {
    const { file, retentionDays, now } = this.#options;
    const expiredBefore = now().getTime() - retentionDays * DAY_MS;
    const laterDays = new Set<string>();
    for (const path of rotatedFiles(file).reverse()) {
      const time = rotatedAt(path);
      if (time < expiredBefore && laterDays.size >= retentionDays) tryOs(() => rmSync(path, { force: true }));
      else laterDays.add(dayOf(new Date(time)));
    }
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns a path that does not exist, because a rotated file must never be replaced. */
function freePath(file: string, now: Date): string {
  for (let time = now.getTime(); ; time += 1) {
    const path = join(dirname(file), rotatedName(file, new Date(time)));
    if (!existsSync(path)) return path;
  }
}

/** Returns for example `audit.20261126T071455123Z-4711.jsonl` for `audit.jsonl`. */
function rotatedName(file: string, now: Date): string {
  const extension = extname(file);
  const stamp = now.toISOString().replace(/[-:.]/g, '');
  return `${basename(file, extension)}.${stamp}-${process.pid}${extension}`;
}

const STAMP = /\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\d{3}Z-\d+$/;

function rotatedAt(path: string): number {
  const [, year, month, day, hour, minute, second] =
    STAMP.exec(path.slice(0, path.length - extname(path).length)) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Returns the paths of the rotated files, oldest first. */
export function rotatedFiles(file: string): string[] {
  const extension = extname(file);
  const prefix = `${basename(file, extension)}.`;
  const names = tryOs(() => readdirSync(dirname(file))) ?? [];
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith(extension))
    .filter((name) => STAMP.test(name.slice(0, name.length - extension.length)))
    .sort()
    .map((name) => join(dirname(file), name));
}
