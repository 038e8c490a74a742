import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type PluginDefinition, readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { Log } from '../../log/log.js';
import { isOfSettings } from '../../settings/setting-owner.js';
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

export interface DefinitionCacheOptions {
  /** Nothing is remembered without it. */
  cacheDir: string | undefined;
  /** Whatever else the definitions of all plugins depend on, as it is now: `Plugins.Config`, limits, versions, platform. */
  key: () => unknown;
  /** The settings of the plugin with this name, as they are now. */
  ownSettings: (name: string) => unknown;
  log: Log;
}

const SAVE_DELAY_MS = 1000;
const MAX_SAVE_DELAY_MS = 120_000;
/** A file that was not written for so long is of no use. */
const OLD_MS = 30 * 24 * 3_600_000;
const FILE_NAME = /^(?:plugins|tools|instructions)-[0-9a-f]{16}\.json/;

/**
 * The definitions of plugins between two starts, so that a start loads no plugin (docs/spec/plugins.md#definition-cache).
 * What is in it was checked when it arrived, by this version and with these limits: it is not checked again.
 */
export class DefinitionCache {
  readonly #options: DefinitionCacheOptions;
  /** Read at the first use: the first answer may not need it. */
  #entries: Map<string, CachedDefinition> | undefined;
  readonly #used = new Set<string>();
  #saving: NodeJS.Timeout | undefined;
  #delayMs = SAVE_DELAY_MS;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DefinitionCacheOptions) {
    this.#options = options;
  }

  /**
   * Undefined when it is not known, or a file or a setting of the plugin has changed.
   * @param mustReload whether the plugin is to be loaded although this is cached
   */
  find(plugin: CacheKey, mustReload?: (definition: PluginDefinition) => boolean): CachedDefinition | undefined {
    const { path, root } = plugin;
    this.#used.add(path);
    const found = this.#stored.get(path);
    if (!found || found.settingsHash !== this.#settingsHash(plugin, found.definition)) return undefined;
    if (found.stateHash !== rehash(root === undefined ? {} : { root }, found.files)) return undefined;
    return mustReload?.(found.definition) ? undefined : found;
  }

  /** The last known definition, although a file may have changed. */
  last({ path }: CacheKey): PluginDefinition | undefined {
    return this.#stored.get(path)?.definition;
  }

  /**
   * Keeps the definition of a plugin if it loaded without errors and its files did not change while it was being loaded.
   * One with problems of its settings is not kept: they name lines of the settings file.
   * @param before the fingerprint of its files before loading
   */
  keep(plugin: CacheKey, before: Fingerprint, definition: PluginDefinition): void {
    if (isDeepStrictEqual(this.find(plugin)?.definition, definition)) return;
    const isComplete = definition.problems.every((problem) => problem.severity !== 'error' && !isOfSettings(problem));
    if (isComplete && rehash(plugin, before.files) === before.stateHash) this.set(plugin, before, definition);
    else this.delete(plugin);
  }

  set(plugin: CacheKey, { files, stateHash }: Fingerprint, definition: PluginDefinition): void {
    this.#used.add(plugin.path);
    const settingsHash = this.#settingsHash(plugin, definition);
    this.#put(plugin.path, { files, stateHash, settingsHash, definition });
  }

  delete({ path }: CacheKey): void {
    if (this.#stored.delete(path)) this.#saveSoon();
  }

  /** Drops the definition of a plugin whose files hold something else although their times say nothing of it. */
  async verifyContents(plugin: CacheKey): Promise<void> {
    const found = this.find(plugin);
    if (found?.hash !== undefined && found.hash !== (await contentHash(found.files))) this.delete(plugin);
  }

  /**
   * All plugins have loaded. Hashes what is known by its times alone, drops what no plugin has used, and writes what changed.
   * @returns the paths of plugins whose contents changed all the same
   */
  async verify(): Promise<string[]> {
    const stored = this.#stored;
    const changed: string[] = [];
    for (const path of [...stored.keys()]) if (!this.#used.has(path)) this.delete({ path });
    for (const [path, entry] of [...stored]) {
      const hash = await contentHash(entry.files);
      // Meanwhile the plugin may have been loaded again.
      if (stored.get(path) !== entry) continue;
      if (entry.hash === undefined) this.#put(path, { ...entry, hash });
      else if (entry.hash !== hash) {
        changed.push(path);
        this.delete({ path });
      }
    }
    this.save();
    return changed;
  }

  /**
   * Writes what changed immediately; without it that is done a moment after each change. Never throws: a cache that cannot be
   * written costs time only.
   */
  save(): void {
    if (this.#saving === undefined) return;
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const { cacheDir, log } = this.#options;
    const file = this.#file;
    if (cacheDir === undefined || file === undefined) return;
    // Plugins that change their lists often are written to the cache less often.
    const now = performance.now();
    const isRare = now - this.#savedAt > 2 * this.#delayMs;
    this.#delayMs = isRare ? SAVE_DELAY_MS : Math.min(MAX_SAVE_DELAY_MS, 2 * this.#delayMs);
    this.#savedAt = now;
    try {
      mkdirSync(cacheDir, { recursive: true });
      // What servers say of themselves is redacted when it is shown, and not before.
      replaceFile(file, sealed([...this.#stored]));
      removeOld(cacheDir);
    } catch (error) {
      log.warn('the cache of definitions cannot be written', { file, error: String(error) });
    }
  }

  get #stored(): Map<string, CachedDefinition> {
    this.#entries ??= new Map(read(this.#file, this.#options.log));
    return this.#entries;
  }

  /** As the settings are now; undefined if nothing is kept. */
  get #file(): string | undefined {
    const { cacheDir, key } = this.#options;
    return cacheDir === undefined ? undefined : join(cacheDir, `plugins-${shortHash(key())}.json`);
  }

  #settingsHash({ name }: CacheKey, { settings }: PluginDefinition): string {
    const names = [name, settings?.name].filter((item) => item !== undefined);
    return shortHash(names.map(this.#options.ownSettings));
  }

  #put(path: string, cached: CachedDefinition): void {
    this.#stored.set(path, cached);
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#saving ??= setTimeout(() => this.save(), this.#delayMs).unref();
  }
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

type Entries = readonly (readonly [path: string, cached: CachedDefinition])[];

const SEAL = /^\{"sha256":"[0-9a-f]{64}","plugins":/;

/** The text of the file. Its hash is in it, so that a file that was edited by hand or written in part is not used. */
export function sealed(entries: Entries): string {
  return seal(JSON.stringify(entries));
}

const seal = (plugins: string) => `{"sha256":"${hash('sha256', plugins)}","plugins":${plugins}}`;

function read(file: string | undefined, log: Log): Entries {
  try {
    const text = file === undefined ? '' : readRegularText(file);
    const plugins = text.replace(SEAL, '').slice(0, -1);
    return seal(plugins) === text ? JSON.parse(plugins) : [];
  } catch (error) {
    if (error instanceof UnreadableFileError)
      log.warn('the cache of definitions is not used', { error: error.message });
    return [];
  }
}
