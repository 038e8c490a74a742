import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { realPath } from '../../util/ignore-os-errors.js';
import { type AllPins, formatPinFile, PIN_FILE, readPinFile } from './pin-file.js';

// The new file is a lock too, so that servers that write at the same time merge one after the other. write-file-atomic replaces a file
// atomically, and takes turns only within a process.

/** How long to wait for others that hold the file, in milliseconds. */
const WAIT_MS = 3_000;
const RETRY_MS = 20;
/**
 * A new file that is older than this, in milliseconds, was left by a process that has died, because writing takes less time. A file
 * with a date in the future, a link or a pipe was not left by a writer.
 */
const ABANDONED_MS = 10_000;

/**
 * Atomically replaces the file's contents by `merge(current contents)`, and returns the new contents. Servers that
 * write at the same time take turns: the new file next to it is the lock. A file that cannot be read is not changed. Errors of
 * the operating system do not reject the promise; they are PIN_FILE_NOT_WRITTEN.
 */
export async function updatePinFile(
  file: string,
  merge: (pins: AllPins) => AllPins,
): Promise<{ pins: AllPins } | { problem: PluginProblem }> {
  const target = realPath(file);
  const next = `${target}.new`;
  try {
    await mkdir(dirname(target), { recursive: true });
    await patiently(['EEXIST'], () => acquire(next));
    const read = readPinFile(target);
    if ('problem' in read) {
      await rm(next);
      return read;
    }
    const pins = merge(read.pins);
    await replace(target, next, formatPinFile(pins));
    return { pins };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const hint = path === next && code in BUSY ? BUSY[code]!(next) : ROOM_HINT;
    return { problem: pinFileNotWritten(target, code, hint) };
  }
}

async function acquire(next: string): Promise<void> {
  const stats = await lstat(next).catch(() => undefined);
  if (stats && (!stats.isFile() || Math.abs(Date.now() - stats.mtimeMs) > ABANDONED_MS))
    await rm(next, { force: true });
  await writeFile(next, '', { flag: 'wx' });
}

/** After the renaming, the name of the new file belongs to the next writer. */
async function replace(target: string, next: string, text: string): Promise<void> {
  try {
    await writeFile(next, text);
    // Windows returns these errors while another process reads the target.
    await patiently(['EPERM', 'EACCES', 'EBUSY'], () => rename(next, target));
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** Tries again while the system answers with one of `codes`, for up to three seconds. */
async function patiently(codes: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + WAIT_MS; ; await delay(RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!codes.includes((error as NodeJS.ErrnoException).code ?? '') || Date.now() > until) throw error;
    }
  }
}

const BUSY: Readonly<Record<string, (next: string) => string>> = {
  EEXIST: (next) => `Another server is writing it. If there is none, delete ${next}.`,
  ERR_FS_EISDIR: (next) => `Delete the folder ${next}.`,
};
const ROOM_HINT = 'Make the folder writable and free disk space, or keep the configuration in another folder.';

function pinFileNotWritten(file: string, code: string, hint: string): PluginProblem {
  return {
    severity: 'warning',
    code: 'PIN_FILE_NOT_WRITTEN',
    message: `${PIN_FILE} cannot be written (${code}): new pins are lost when the server stops`,
    hint,
    location: { file },
  };
}
