import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type PluginDefinition, readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { isPluginDefinition } from '../../core/plugin-definition.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { Log } from '../../log/log.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { replaceFile } from '../../util/replace-file.js';
import { contentHash, rehash } from './fingerprint.js';

/** What a plugin offered when it was last loaded, for as long as its files are unchanged. */
export interface CachedDefinition {
  readonly files: readonly string[];
  readonly stateHash: string;
  /** Of what the files held; made after the first answer. */
  readonly hash?: string;
  /** The hash of the plugin's own settings. */
  readonly settingsHash: string;
  readonly definition: PluginDefinition;
}

interface CacheKey {
  /** Of its section in the settings; a mounted server has none. */
  readonly name?: string;
  readonly path: string;
  readonly root?: string;
}

/**
 * The tool lists of plugins between two starts, so that a start loads none of them
 * (docs/spec/plugins.md#definition-cache).
 */
export interface DefinitionCache {
  /** Undefined when it is not known, or a file or a setting of the plugin has changed. */
  find(plugin: CacheKey): CachedDefinition | undefined;
  /** The last known definition, although a file may have changed. */
  last(plugin: CacheKey): PluginDefinition | undefined;
  set(plugin: CacheKey, fingerprint: Fingerprint, definition: PluginDefinition): void;
  delete(plugin: CacheKey): void;
  /**
   * All plugins have loaded. Hashes what is known by its times alone, drops what no plugin has used, and writes what changed.
   * @returns the paths of plugins whose contents changed all the same
   */
  verify(): Promise<string[]>;
  /**
   * Writes what changed at once, which is done a moment after each change anyway. Never throws: a cache that cannot be
   * written costs time only.
   */
  save(): void;
  /** Its file, as the settings are now; undefined if nothing is kept. */
  readonly file: string | undefined;
}

export interface DefinitionCacheOptions {
  /** Nothing is remembered without it. */
  cacheDir: string | undefined;
  /** Whatever else the lists of all plugins depend on, as it is now: `Plugins.Config`, versions, platform. */
  key: () => unknown;
  /** The settings of the plugin with this name, as they are now. */
  ownSettings: (name: string) => unknown;
  log: Log;
}

const SAVE_DELAY_MS = 1000;
const MAX_SAVE_DELAY_MS = 120_000;
/** A list that was not written for so long is of no use. */
const OLD_MS = 30 * 24 * 3_600_000;
const FILE_NAME = /^(?:plugins|tools|instructions)-[0-9a-f]{16}\.json/;

export function createDefinitionCache({ cacheDir, key, ownSettings, log }: DefinitionCacheOptions): DefinitionCache {
  const fileNow = () => (cacheDir === undefined ? undefined : join(cacheDir, `plugins-${shortHash(key())}.json`));
  const settingsHashOf = ({ name }: CacheKey, { settings }: PluginDefinition) => {
    const names = [name, settings?.name].filter((item) => item !== undefined);
    return shortHash(names.map(ownSettings));
  };
  let entries: Map<string, CachedDefinition> | undefined;
  /** Read at the first use: the first answer may not need it. */
  const stored = () => {
    entries ??= read(fileNow(), log);
    return entries;
  };
  const used = new Set<string>();
  let saving: NodeJS.Timeout | undefined;
  let delayMs = SAVE_DELAY_MS;
  let savedAt = Number.NEGATIVE_INFINITY;

  const saveSoon = () => {
    saving ??= setTimeout(save, delayMs).unref();
  };
  const put = (path: string, cached: CachedDefinition) => {
    stored().set(path, cached);
    saveSoon();
  };
  const drop = (path: string) => {
    if (stored().delete(path)) saveSoon();
  };

  function save(): void {
    if (saving === undefined) return;
    clearTimeout(saving);
    saving = undefined;
    const file = fileNow();
    if (file === undefined) return;
    // Who keeps changing its lists has the file written less and less often.
    const now = performance.now();
    delayMs = now - savedAt > 2 * delayMs ? SAVE_DELAY_MS : Math.min(MAX_SAVE_DELAY_MS, 2 * delayMs);
    savedAt = now;
    try {
      mkdirSync(cacheDir!, { recursive: true });
      // What servers say of themselves is redacted when it is shown, and not before.
      replaceFile(file, JSON.stringify([...stored()]));
      removeOld(cacheDir!);
    } catch (error) {
      log.warn('the cache of definitions cannot be written', { file, error: String(error) });
    }
  }

  return {
    find(plugin) {
      const { path, root } = plugin;
      used.add(path);
      const found = stored().get(path);
      if (!found || found.settingsHash !== settingsHashOf(plugin, found.definition)) return undefined;
      return found.stateHash === rehash(root === undefined ? {} : { root }, found.files) ? found : undefined;
    },
    last: ({ path }) => stored().get(path)?.definition,
    set(plugin, { files, stateHash }, definition) {
      used.add(plugin.path);
      put(plugin.path, { files, stateHash, settingsHash: settingsHashOf(plugin, definition), definition });
    },
    delete: ({ path }) => drop(path),
    async verify() {
      const changed: string[] = [];
      for (const path of [...stored().keys()]) if (!used.has(path)) drop(path);
      for (const [path, entry] of [...stored()]) {
        const hash = await contentHash(entry.files);
        // Meanwhile the plugin may have been loaded again.
        if (stored().get(path) !== entry) continue;
        if (entry.hash === undefined) put(path, { ...entry, hash });
        else if (entry.hash !== hash) {
          changed.push(path);
          drop(path);
        }
      }
      // The cached list of tools depends on the file, and is saved next.
      save();
      return changed;
    },
    save,
    get file() {
      return fileNow();
    },
  };
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** Lists of former settings and versions, which no one reads any more. */
function removeOld(cacheDir: string): void {
  for (const name of readdirSync(cacheDir).filter((item) => FILE_NAME.test(item))) {
    const path = join(cacheDir, name);
    const writtenAt = tryOs(() => statSync(path))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - writtenAt > OLD_MS) rmSync(path, { force: true });
  }
}

/** A cache that does not parse, or holds something else, is not a cache. */
function read(file: string | undefined, log: Log): Map<string, CachedDefinition> {
  try {
    const entries: unknown = file === undefined ? [] : JSON.parse(readRegularText(file));
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : []);
  } catch (error) {
    if (error instanceof UnreadableFileError)
      log.warn('the cache of definitions is not used', { error: error.message });
    return new Map();
  }
}

function isEntry(entry: unknown): entry is [string, CachedDefinition] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { files, stateHash, hash, settingsHash, definition } = (entry[1] ?? {}) as Partial<CachedDefinition>;
  return (
    Array.isArray(files) &&
    files.every((file) => typeof file === 'string') &&
    typeof stateHash === 'string' &&
    typeof settingsHash === 'string' &&
    (hash === undefined || typeof hash === 'string') &&
    isPluginDefinition(definition)
  );
}
