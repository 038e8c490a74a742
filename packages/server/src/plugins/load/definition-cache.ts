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

/**
 * The definition of a plugin when it was last loaded. It is valid while the plugin's files and settings are unchanged.
 */
export interface CachedDefinition {
  readonly files: readonly string[];
  /** See {@link Fingerprint.stateHash}. */
  readonly stateHash: string;
  /** The hash of the contents of the files. Undefined until `verify` has run after a load. */
  readonly hash?: string;
  /** The hash of the plugin's own settings. */
  readonly settingsHash: string;
  readonly definition: PluginDefinition;
}

interface CacheKey {
  /** The name of the plugin's section in the settings; undefined for a mounted server. */
  readonly name?: string;
  readonly path: string;
  readonly root?: string;
}

export interface DefinitionCacheOptions {
  /** The folder of the cache. If undefined, definitions are not saved. */
  cacheDir: string | undefined;
  /** Returns everything else that all definitions depend on now: `Plugins.Config`, limits, versions, platform. */
  key: () => unknown;
  /** Returns the current settings that only the plugin with this name can read. */
  ownSettings: (name: string) => unknown;
  log: Log;
}

const SAVE_DELAY_MS = 1000;
const MAX_SAVE_DELAY_MS = 120_000;
/** Files of the cache that were not written for this time are deleted. */
const OLD_MS = 30 * 24 * 3_600_000;
const FILE_NAME = /^(?:plugins|tools|instructions)-[0-9a-f]{16}\.json/;

/**
 * Keeps the definitions of plugins between two starts, so that a start loads no plugin
 * (docs/spec/plugins.md#definition-cache). Definitions were validated before they were cached, by this version and with
 * these limits, so they are not validated again.
 */
export class DefinitionCache {
  readonly #options: DefinitionCacheOptions;
  /** The file is read at the first use, because the first answer may not need it. */
  #entries: Map<string, CachedDefinition> | undefined;
  readonly #used = new Set<string>();
  /** Set while a change has not been saved. */
  #saveTimer: NodeJS.Timeout | undefined;
  #delayMs = SAVE_DELAY_MS;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DefinitionCacheOptions) {
    this.#options = options;
  }

  /**
   * Returns the cached definition of a plugin; undefined if there is none, or a file or setting of the plugin has
   * changed.
   * @param mustReload returns true if the plugin must be loaded despite this cached definition
   */
  find(plugin: CacheKey, mustReload?: (definition: PluginDefinition) => boolean): CachedDefinition | undefined {
    const { path, root } = plugin;
    this.#used.add(path);
    const cached = this.#stored.get(path);
    if (!cached || cached.settingsHash !== this.#settingsHash(plugin, cached.definition)) return undefined;
    if (cached.stateHash !== rehash(root === undefined ? {} : { root }, cached.files)) return undefined;
    return mustReload?.(cached.definition) ? undefined : cached;
  }

  /** Returns the last cached definition of a plugin, even if its files or settings have changed. */
  last({ path }: CacheKey): PluginDefinition | undefined {
    return this.#stored.get(path)?.definition;
  }

  /**
   * Caches the definition of a plugin if it loaded without errors and its files did not change during the load;
   * otherwise deletes it from the cache. A definition with problems of the settings is not cached, because such
   * problems name lines of the settings file, which can move.
   * @param before the fingerprint of the files before the load
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

  /** Deletes the definition of a plugin if the contents of its files have changed although their metadata has not. */
  async verifyContents(plugin: CacheKey): Promise<void> {
    const cached = this.find(plugin);
    if (cached?.hash !== undefined && cached.hash !== (await contentHash(cached.files))) this.delete(plugin);
  }

  /**
   * Hashes the contents of all cached files, deletes definitions that no plugin has used in this run, and saves. Call
   * it when all plugins have loaded.
   * @returns the paths of plugins whose contents have changed although the metadata of their files has not
   */
  async verify(): Promise<string[]> {
    const stored = this.#stored;
    const changed: string[] = [];
    for (const path of [...stored.keys()]) if (!this.#used.has(path)) this.delete({ path });
    for (const [path, entry] of [...stored]) {
      const hash = await contentHash(entry.files);
      // The plugin may have been loaded again in the meantime.
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
   * Writes changes now, which otherwise happens a moment after each change. Never throws: if the cache cannot be
   * written, the next start only takes longer.
   */
  save(): void {
    if (this.#saveTimer === undefined) return;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
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
      // Definitions are redacted when they are shown, not here.
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

  /** The path of the cache for the current settings; undefined if there is no folder for it. */
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
    this.#saveTimer ??= setTimeout(() => this.save(), this.#delayMs).unref();
  }
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** Deletes old files of the cache. Each change of the settings or of the version begins a new file. */
function removeOld(cacheDir: string): void {
  for (const name of readdirSync(cacheDir).filter((item) => FILE_NAME.test(item))) {
    const path = join(cacheDir, name);
    const writtenAt = tryOs(() => statSync(path))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - writtenAt > OLD_MS) rmSync(path, { force: true });
  }
}

type Entries = readonly (readonly [path: string, cached: CachedDefinition])[];

const SEAL = /^\{"sha256":"[0-9a-f]{64}","plugins":/;

/**
 * Returns the text of the file. It contains its own hash, so that a file that was edited or written in part is not
 * used.
 */
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
