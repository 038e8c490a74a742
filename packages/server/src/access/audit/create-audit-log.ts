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

/** The name of the key in the folder of the user's data. */
const KEY_FILE = 'audit.key';

/**
 * The audit of `Audit.File`; undefined where there is none.
 * @param dataDir of this installation: its key is there
 * @throws SettingsError that says why it cannot be written
 */
export function createAuditLog(
  { Audit }: Pick<Settings, 'Audit'>,
  { dataDir, redactor, log }: { readonly dataDir: string; readonly redactor: Redactor; readonly log: Log },
): AuditLog | undefined {
  if (Audit.File === '') return undefined;
  const file = new AuditFile({
    file: Audit.File,
    maxBytes: Audit.MaxMegabytes * MIB,
    retentionDays: Audit.RetentionDays,
  });
  return new AuditLog({
    ...{ file, path: Audit.File, redactor, log },
    key: openAudit(
      Audit,
      () => {
        file.open();
        return installationKey(join(dataDir, KEY_FILE));
      },
      log,
    ),
    showsArguments: Audit.Arguments === 'redacted',
    refuses: Audit.OnFailure === 'refuse',
  });
}

const CAUSES: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EISDIR: ['it is a folder', 'Name a file in it.'],
  ENXIO: ['it is a FIFO or a socket', 'Name a regular file.'],
  ENOENT: ['its folder does not exist', 'Create the folder, or name another file.'],
  EACCES: ['it may not be written', 'Let the user that runs Mortise write it, or name another file.'],
  EROFS: ['it is on a disk that may not be written', 'Name a file elsewhere.'],
};

/** Failures that end by themselves, or by an operator's work, without a change of the settings. */
const TEMPORARY: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOSPC: ['the disk is full', 'Make room on the disk.'],
  EDQUOT: ["the user's quota of the disk is used up", 'Make room on the disk.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files.'],
  ENFILE: ['too many files are open on this machine', 'Close other programs.'],
  EIO: ['the disk cannot be read or written', 'Check the disk.'],
};

/**
 * Opens the file and gives the key. With `warn`, a start does not fail because the disk is full: lines wait in memory.
 */
export function openAudit(
  { File: path, OnFailure }: Pick<Settings['Audit'], 'File' | 'OnFailure'>,
  open: () => Buffer,
  log: Pick<Log, 'error'>,
): Buffer {
  try {
    return open();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const [why, hint] = CAUSES[code] ?? TEMPORARY[code] ?? [errorMessage(error), 'Name a regular file.'];
    const message = `Audit.File is ${path}, which cannot be written: ${why}.`;
    if (!(code in TEMPORARY) || OnFailure === 'refuse') throw new SettingsError([{ key: 'Audit.File', message, hint }]);
    log.error(`${message} Its lines wait in memory`, { hint });
    return randomBytes(KEY_BYTES);
  }
}
