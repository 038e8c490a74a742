import { join } from 'node:path';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../logging/log.js';
import type { Settings } from '../settings/settings.js';
import { SettingsError } from '../settings/settings-error.js';
import { errorMessage } from '../util/error-message.js';
import { AuditFile } from './audit-file.js';
import { AuditLog } from './audit-log.js';
import { installationKey } from './installation-key.js';

/** The name of the key in the folder of the user's data. */
const KEY_FILE = 'audit.key';
const MIB = 1024 * 1024;

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
    key: opened(Audit.File, () => {
      file.open();
      return installationKey(join(dataDir, KEY_FILE));
    }),
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

function opened<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const [why, hint] = CAUSES[(error as NodeJS.ErrnoException).code ?? ''] ?? [
      errorMessage(error),
      'Name a regular file.',
    ];
    throw new SettingsError([
      { key: 'Audit.File', message: `Audit.File is ${path}, which cannot be written: ${why}.`, hint },
    ]);
  }
}
