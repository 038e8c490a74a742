import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import type { Log } from '../../log/log.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { replaceFile } from '../../util/replace-file.js';
import { version } from '../../util/version.js';

/**
 * Keeps the instructions of plugins and mounted servers between two starts, so that clients get the instructions before
 * the plugins have loaded.
 */
export interface InstructionsCache {
  /** Returns the redacted instructions; undefined if none are cached. */
  get(): string | undefined;
  /**
   * Saves the instructions. Never throws: if the cache cannot be written, the next start has no instructions at first.
   */
  set(text: string): void;
}

/** Creates the cache. The name of its file depends on the version and the settings, so other servers have other files. */
export function createInstructionsCache(cacheDir: string, loaded: LoadedSettings, log: Log): InstructionsCache {
  const { settings, pluginSections, file: settingsFile, baseDir, secrets } = loaded;
  const key = [version, settings, [...pluginSections], settingsFile, baseDir, secrets];
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
  const file = join(cacheDir, `instructions-${digest}.json`);
  let cached: { text: string } | undefined;
  const read = (): { text: string } => {
    const content = tryOs(() => readRegularText(file)) ?? '';
    try {
      const text: unknown = JSON.parse(content);
      return { text: typeof text === 'string' ? text : '' };
    } catch {
      return { text: '' };
    }
  };
  return {
    get() {
      cached ??= read();
      return cached.text === '' ? undefined : cached.text;
    },
    set(text) {
      cached ??= read();
      if (cached.text === text) return;
      cached = { text };
      try {
        mkdirSync(cacheDir, { recursive: true });
        replaceFile(file, JSON.stringify(text));
      } catch (error) {
        log.warn('the cache of instructions cannot be written', { file, error: String(error) });
      }
    },
  };
}
