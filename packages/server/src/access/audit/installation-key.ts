import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from '../../util/create-folder.js';
import { tryOs } from '../../util/ignore-os-errors.js';

export const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\s*$/;

/**
 * Returns the key with which this installation hashes arguments in the audit. Creates it on first use, readable by its
 * owner only.
 * @throws Error if the key can be neither read nor created
 */
export function installationKey(file: string): Buffer {
  return readKey(file) ?? createKey(file);
}

function readKey(file: string): Buffer | undefined {
  const text = tryOs(() => readFileSync(file, 'latin1'));
  if (text === undefined) return undefined;
  if (!KEY_TEXT.test(text)) throw new Error(`${file} is not a key: remove the file, and Mortise creates a new key`);
  return Buffer.from(text.trim(), 'hex');
}

/** If several servers create a key at the same time, all use the first one, because a link never replaces a file. */
function createKey(file: string): Buffer {
  const temporaryFile = `${file}.${process.pid}`;
  createFolder(dirname(file), 0o700);
  writeFileSync(temporaryFile, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'w' });
  try {
    tryOs(() => linkSync(temporaryFile, file));
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  const key = readKey(file);
  if (!key) throw new Error(`${file} cannot be written`);
  return key;
}
