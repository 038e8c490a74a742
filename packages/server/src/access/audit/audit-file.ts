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
  /** Absolute. */
  readonly file: string;
  /** A file that would become larger is put aside. */
  readonly maxBytes: number;
  /** For how long files are kept that were put aside. */
  readonly retentionDays: number;
  /** Default: the clock. */
  readonly now?: () => Date;
}

const DAY_MS = 86_400_000;
const OWNER_ONLY = 0o600;
/** A FIFO is not waited for. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * The file of the audit: each line is appended by one write, so that several servers can write the same file. It is
 * looked at before each line: one that was removed, or put aside by another server, is begun again. Put aside by size
 * and by day (UTC).
 */
export class AuditFile {
  readonly #options: Required<AuditFileOptions>;
  #fd: number | undefined;
  /** The UTC day of its lines. */
  #day = '';
  /** The last write was incomplete: the next line begins a line of its own. */
  #isTorn = false;

  constructor(options: AuditFileOptions) {
    this.#options = { now: () => new Date(), ...options };
  }

  /** Opens it, and removes files that were kept for long enough. @throws Error that says why it cannot be written */
  open(): void {
    this.#reopen();
    this.#removeOld();
  }

  /** @param line without its end @throws Error that says why it could not be written */
  append(line: string): void {
    this.#follow();
    const text = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`);
    this.#rotateFor(text.length);
    const written = writeSync(this.#fd!, text);
    this.#isTorn = written < text.length;
    if (this.#isTorn) throw new Error('the disk is full');
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** The path may name another file by now, or none. */
  #follow(): void {
    const own = this.#fd === undefined ? undefined : fstatSync(this.#fd);
    const there = tryOs(() => statSync(this.#options.file));
    if (!own || !there || own.ino !== there.ino || own.dev !== there.dev) this.#reopen();
  }

  #reopen(): void {
    this.close();
    this.#isTorn = false;
    const fd = openSync(this.#options.file, FLAGS, OWNER_ONLY);
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
    // Another server may have just put it aside.
    tryOs(() => renameSync(file, freeName(file, now())));
    this.#reopen();
    this.#removeOld();
  }

  /**
   * Removes a file when the clock says that it is old, and files of as many later days exist: a clock that jumps makes
   * a file of one day, and so removes nothing.
   */
  #removeOld(): void {
    const { file, retentionDays, now } = this.#options;
    const oldest = now().getTime() - retentionDays * DAY_MS;
    const laterDays = new Set<string>();
    for (const path of rotatedFiles(file).reverse()) {
      const time = rotatedAt(path);
      if (time < oldest && laterDays.size >= retentionDays) tryOs(() => rmSync(path, { force: true }));
      else laterDays.add(dayOf(new Date(time)));
    }
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** A path at which nothing is: a file is never replaced. */
function freeName(file: string, now: Date): string {
  for (let time = now.getTime(); ; time += 1) {
    const path = join(dirname(file), rotatedName(file, new Date(time)));
    if (!existsSync(path)) return path;
  }
}

/** `audit.20261126T071455123Z-4711.jsonl` for `audit.jsonl`. */
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

/** The files that were put aside, the oldest first. */
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
