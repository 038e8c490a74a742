import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../../log/log.js';
import type { Settings } from '../../settings/settings.js';
import { SettingsError } from '../../settings/settings-error.js';
import { MIB } from '../../util/bytes.js';
import { errorMessage } from '../../util/error-message.js';
import { AuditFile } from './audit-file.js';
import { AuditLog } from './audit-log.js';
import { installationKey, KEY_BYTES } from './installation-key.js';

/** The name of the key's file in the data folder of the installation. */
const KEY_FILE = 'audit.key';

/**
 * Opens the audit in `Audit.File`.
 * @param dataDir the data folder of the installation, which contains the HMAC key
 * @returns undefined if the settings name no file
 * @throws SettingsError if the file cannot be written
 */
export function createAuditLog(
  { Audit }: Pick<Settings, 'Audit'>,
  { dataDir, redactor, log }: { readonly dataDir: string; readonly redactor: Redactor; readonly log: Log },
): AuditLog | undefined {
  if (Audit.File === '') return undefined;
  const keyFile = join(dataDir, KEY_FILE);
  const file = new AuditFile({
    file: Audit.File,
    maxBytes: Audit.MaxMegabytes * MIB,
    retentionDays: Audit.RetentionDays,
  });
  return new AuditLog({
    ...{ file, path: Audit.File, redactor, log },
    key: openAudit(Audit, { openFile: () => file.open(), keyFile, openKey: () => installationKey(keyFile) }, log),
    showsArguments: Audit.Arguments === 'redacted',
    refusesOnFailure: Audit.OnFailure === 'refuse',
  });
}

const CAUSES: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EISDIR: ['it is a folder', 'Name a file in it.'],
  ENXIO: ['it is a FIFO or a socket', 'Name a regular file.'],
  ENOENT: ['its folder does not exist', 'Create the folder, or name another file.'],
  EACCES: ['Mortise may not write it', 'Give the user that runs Mortise write permission, or name another file.'],
  EROFS: ['its disk is read-only', 'Name a file on another disk.'],
};

/** Failures that can end without a change of the settings. */
const TEMPORARY: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space on the disk.'],
  EDQUOT: ["the user's disk quota is used up", 'Free some space on the disk.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files.'],
  ENFILE: ['too many files are open on this machine', 'Close other programs.'],
  EIO: ['the disk cannot be read or written', 'Check the disk.'],
};

const KEY_HINT = 'Set XDG_DATA_HOME to a folder that Mortise may write.';

/**
 * Opens the file. After a temporary failure the server starts nevertheless if `Audit.OnFailure` is `warn`; then the
 * lines wait in memory, and their arguments are hashed with a random key.
 * @param openKey returns the HMAC key, which is in `keyFile`
 * @throws SettingsError
 */
export function openAudit(
  { File: path, OnFailure }: Pick<Settings['Audit'], 'File' | 'OnFailure'>,
  { openFile, keyFile, openKey }: { openFile(): void; readonly keyFile: string; openKey(): Buffer },
  log: Pick<Log, 'error'>,
): Buffer {
  let isKey = false;
  try {
    openFile();
    isKey = true;
    return openKey();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const [why, reasonHint] = CAUSES[code] ?? TEMPORARY[code] ?? [errorMessage(error), 'Name a regular file.'];
    const hint = isKey && !(code in TEMPORARY) ? KEY_HINT : reasonHint;
    const subject = isKey ? `The key of the audit, ${keyFile},` : `Audit.File is ${path}, which`;
    const message = `${subject} cannot be written: ${why}.`;
    if (!(code in TEMPORARY) || OnFailure === 'refuse') throw new SettingsError([{ key: 'Audit.File', message, hint }]);
    log.error(`${message} Its lines wait in memory`, { hint });
    return randomBytes(KEY_BYTES);
  }
}
