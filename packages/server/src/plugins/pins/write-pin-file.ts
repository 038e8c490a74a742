import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { realPath } from '../../util/ignore-os-errors.js';
import { type AllPins, formatPinFile, PIN_FILE, readPinFile } from './pin-file.js';

// The new file is also the lock, so that servers that write at the same time merge one after the other. The package
// write-file-atomic is not enough: it replaces a file atomically, but its writers take turns only within a process.

/** Maximum wait for other processes that hold the file. */
const WAIT_MS = 3_000;
const RETRY_MS = 20;
/**
 * A new file that is older was left by a process that has died, because writing takes less time. A file with a date in
 * the future, a link or a pipe does not come from a writer, and is removed, too.
 */
const ABANDONED_MS = 10_000;

/**
 * Atomically replaces the file's contents by `merge(current contents)`, and returns the new contents. Servers that
 * write at the same time take turns. An invalid file is not changed (PIN_FILE_INVALID). Errors of the operating system
 * do not reject the promise, but become PIN_FILE_NOT_WRITTEN.
 */
export async function updatePinFile(
  file: string,
  merge: (pins: AllPins) => AllPins,
): Promise<{ pins: AllPins } | { problem: PluginProblem }> {
  const target = realPath(file);
  const newFile = `${target}.new`;
  try {
    await mkdir(dirname(target), { recursive: true });
    await withRetries(['EEXIST'], () => acquire(newFile));
    const current = readPinFile(target);
    if ('problem' in current) {
      await rm(newFile);
      return current;
    }
    const pins = merge(current.pins);
    await replace(target, newFile, formatPinFile(pins));
    return { pins };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const hint = path === newFile && code in LOCK_HINTS ? LOCK_HINTS[code]!(newFile) : ROOM_HINT;
    return { problem: pinFileNotWritten(target, code, hint) };
  }
}

async function acquire(newFile: string): Promise<void> {
  const stats = await lstat(newFile).catch(() => undefined);
  if (stats && (!stats.isFile() || Math.abs(Date.now() - stats.mtimeMs) > ABANDONED_MS))
    await rm(newFile, { force: true });
  await writeFile(newFile, '', { flag: 'wx' });
}

/**
 * Writes the new file and renames it. The rename also releases the lock, so the new file must not be touched after it.
 */
async function replace(target: string, newFile: string, text: string): Promise<void> {
  try {
    await writeFile(newFile, text);
    // Windows returns these errors while another process reads the target.
    await withRetries(['EPERM', 'EACCES', 'EBUSY'], () => rename(newFile, target));
  } catch (error) {
    await rm(newFile, { force: true });
    throw error;
  }
}

/** Retries while the work fails with one of the error codes, for up to {@link WAIT_MS}. */
async function withRetries(codes: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + WAIT_MS; ; await delay(RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!codes.includes((error as NodeJS.ErrnoException).code ?? '') || Date.now() > until) throw error;
    }
  }
}

/** Hints for errors about the new file, by error code. */
const LOCK_HINTS: Readonly<Record<string, (newFile: string) => string>> = {
  EEXIST: (newFile) => `Another server is writing it. If there is none, delete ${newFile}.`,
  ERR_FS_EISDIR: (newFile) => `Delete the folder ${newFile}.`,
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
