import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from '../util/create-folder.js';
import { realPath, tryOs } from '../util/ignore-os-errors.js';
import { readTextFile } from '../util/read-text-file.js';
import { SettingsError } from './settings-error.js';

/**
 * The folders whose configuration may run code (docs/spec/configuration.md#config-file). Trust in a folder does not
 * include its subfolders. Symbolic links are followed first. Every method throws SettingsError if a stored entry cannot
 * be read.
 */
export interface TrustStore {
  isTrusted(folder: string): boolean;
  /** Returns the folder's real path. @throws SettingsError if it is not a folder or cannot be stored */
  trust(folder: string): string;
  /** @returns false if the folder was not trusted */
  untrust(folder: string): boolean;
  /** Returns the real paths, sorted. */
  list(): string[];
}

/** Creates a store with one file for each folder, so that several processes can write at the same time. */
export function createTrustStore(userConfigDir: string): TrustStore {
  const storeDir = join(userConfigDir, 'trusted');
  const fileOf = (folder: string) => join(storeDir, `${createHash('sha256').update(folder).digest('hex')}.json`);

  const isStored = (folder: string) => readEntry(fileOf(folder)) === folder;

  return {
    isTrusted: (folder) => isStored(realPath(folder)),

    trust(folder) {
      const real = realPath(folder);
      if (!tryOs(() => statSync(real).isDirectory())) {
        throw problem(`The folder ${real} does not exist.`, 'Name the folder that holds the configuration.');
      }
      if (!isStored(real)) writeEntry(fileOf(real), { folder: real, trustedAt: new Date().toISOString() });
      return real;
    },

    untrust(folder) {
      const file = fileOf(realPath(folder));
      if (!existsSync(file)) return false;
      orExplain(file, () => rmSync(file, { force: true }));
      return true;
    },

    list() {
      const names = existsSync(storeDir) ? orExplain(storeDir, () => readdirSync(storeDir)) : [];
      const folders = names.filter((name) => name.endsWith('.json')).map((name) => readEntry(join(storeDir, name)));
      return folders.filter((folder) => folder !== undefined).sort();
    },
  };
}

/** Returns the folder that an entry names; undefined if there is no such entry. */
function readEntry(file: string): string | undefined {
  const content = readTextFile(file, 65_536);
  if (content.kind === 'missing') return undefined;
  const folder = content.kind === 'text' ? parseEntry(content.text) : undefined;
  if (folder !== undefined) return folder;
  throw problem(
    `${file}, which remembers a trusted folder, is damaged.`,
    'Delete it, then run `mortise trust` in that folder again.',
  );
}

function parseEntry(text: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    const folder = typeof entry === 'object' && entry !== null && 'folder' in entry ? entry.folder : undefined;
    return typeof folder === 'string' ? folder : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function writeEntry(file: string, entry: object): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  orExplain(file, () => {
    createFolder(dirname(file), 0o700);
    try {
      writeFileSync(temporary, `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

function orExplain<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw problem(
      `${file}, where trusted folders are remembered, cannot be used: ${code}.`,
      'Make it readable and writable.',
    );
  }
}

const problem = (message: string, hint: string) => new SettingsError([{ key: '', message, hint }]);
