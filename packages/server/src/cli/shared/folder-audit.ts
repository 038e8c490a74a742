import { createRedactor } from '@mortise/redact';
import type { AuditLog } from '../../access/audit/audit-log.js';
import { createAuditLog } from '../../access/audit/create-audit-log.js';
import { loadSettings } from '../../settings/load.js';
import { dataRoot } from '../../settings/process-environment.js';
import { SettingsError } from '../../settings/settings-error.js';
import { commandLog } from './open-server.js';
import { loadOptionsFor, type SettingsOptions } from './settings-options.js';
import type { Terminal } from './terminal.js';

/**
 * Opens the audit of the settings that apply in a folder; returns undefined if there is none. If the audit cannot be
 * written, prints that and returns undefined, because trust in a folder can be changed without an audit.
 */
export async function folderAudit(
  folder: string,
  options: SettingsOptions,
  terminal: Terminal,
): Promise<AuditLog | undefined> {
  try {
    const loaded = await loadSettings({ ...loadOptionsFor(options), cwd: folder });
    const redactor = createRedactor({ secrets: loaded.secrets });
    const log = commandLog(terminal, options, loaded);
    return createAuditLog(loaded.settings, { dataDir: dataRoot(), redactor, log });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    terminal.err(`This command is not recorded in the audit log, because the settings are invalid: ${error.message}`);
    return undefined;
  }
}
