import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginDefinition } from '@mortise/plugin/host';
import type { Log } from '../log.js';
import { contentHash, type Fingerprint, stampAgain } from './fingerprint.js';

/** What a plugin offered when it was last loaded, for as long as its files stand as they did. */
export interface Remembered {
  readonly files: readonly string[];
  readonly stamp: string;
  /** Of what the files held; made after the first answer. */
  readonly hash?: string;
  readonly definition: PluginDefinition;
}

interface Place {
  readonly path: string;
  readonly root?: string;
}

/** The tool lists of plugins between two starts, so that a start loads none of them (plugins.md §5). */
export interface RememberedPlugins {
  /** Undefined when it is not known, or a file has changed. */
  find(place: Place): Remembered | undefined;
  keep(place: Place, fingerprint: Fingerprint, definition: PluginDefinition): void;
  forget(place: Place): void;
  /** Hashes what is known by its times alone; the paths of plugins whose contents changed all the same. */
  verify(): Promise<string[]>;
  /** Writes what changed. Never throws: a cache that cannot be written costs time only. */
  save(): void;
}

export interface RememberedOptions {
  /** Nothing is remembered without it. */
  cacheDir: string | undefined;
  /** Whatever else a list depends on: `Plugins.Config`, versions, platform. */
  key: unknown;
  log: Log;
}

/** Between hashes the event loop gets its turn. */
const HASH_SLICE = 20;

export function createRememberedPlugins({ cacheDir, key, log }: RememberedOptions): RememberedPlugins {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
  const file = cacheDir === undefined ? undefined : join(cacheDir, `plugins-${digest}.json`);
  const known = read(file);
  const used = new Set<string>();
  let isChanged = false;

  return {
    find({ path, root }) {
      used.add(path);
      const found = known.get(path);
      if (!found || found.stamp !== stampAgain({ ...(root !== undefined && { root }) }, found.files)) return undefined;
      return found;
    },
    keep({ path }, { files, stamp }, definition) {
      used.add(path);
      known.set(path, { files, stamp, definition });
      isChanged = true;
    },
    forget({ path }) {
      isChanged = known.delete(path) || isChanged;
    },
    async verify() {
      const changed: string[] = [];
      let count = 0;
      for (const [path, entry] of known) {
        const hash = contentHash(entry.files);
        if (entry.hash === undefined) isChanged = true;
        if (entry.hash === undefined || entry.hash === hash) known.set(path, { ...entry, hash });
        else {
          changed.push(path);
          known.delete(path);
          isChanged = true;
        }
        if (++count % HASH_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return changed;
    },
    save() {
      for (const path of known.keys()) if (!used.has(path)) isChanged = known.delete(path);
      if (!isChanged || file === undefined) return;
      isChanged = false;
      const temporary = `${file}.${randomBytes(6).toString('hex')}`;
      try {
        mkdirSync(cacheDir!, { recursive: true });
        writeFileSync(temporary, JSON.stringify([...known]));
        renameSync(temporary, file);
      } catch (error) {
        rmSync(temporary, { force: true });
        log.warn('the list of plugins cannot be remembered', { file, error: String(error) });
      }
    },
  };
}

/** A cache that does not parse is no cache. */
function read(file: string | undefined): Map<string, Remembered> {
  try {
    return new Map(file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as [string, Remembered][]));
  } catch {
    return new Map();
  }
}
