import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tryOs } from '../../util/ignore-os-errors.js';

export const KEY_BYTES = 32;
const TEXT = /^[0-9a-f]{64}\s*$/;

/**
 * The key of this installation, with which arguments are hashed in the audit; made at first use, readable by its owner
 * alone.
 * @throws Error that says why it can be neither read nor made
 */
export function installationKey(file: string): Buffer {
  return readKey(file) ?? makeKey(file);
}

function readKey(file: string): Buffer | undefined {
  const text = tryOs(() => readFileSync(file, 'latin1'));
  if (text === undefined) return undefined;
  if (!TEXT.test(text)) throw new Error(`${file} is not a key: remove it to have a new one made`);
  return Buffer.from(text.trim(), 'hex');
}

/** Of several servers that make one at the same time, all use that of the first: a link never replaces a file. */
function makeKey(file: string): Buffer {
  const own = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(own, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'w' });
  try {
    tryOs(() => linkSync(own, file));
  } finally {
    rmSync(own, { force: true });
  }
  const key = readKey(file);
  if (!key) throw new Error(`${file} cannot be written`);
  return key;
}
