import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import type { Log } from '../logging/log.js';
import { tryOs } from '../util/ignore-os-errors.js';
import { replaceFile } from '../util/replace-file.js';
import { rehash } from './fingerprint.js';

/** What a list depends on: files and folders, and the state they had. */
export interface ListInputs {
  readonly paths: readonly string[];
  readonly stateHash: string;
}

/**
 * The result of `tools/list` between two starts, as text: who asks before the plugins have been read gets it at once
 * (docs/spec/plugins.md#tool-list-cache).
 */
export interface ToolListCache {
  /** Whether there is a long one, whether it is still right or not. */
  readonly isLong: boolean;
  /** Its JSON; undefined when it is not known, or something that it depends on has changed. */
  find(): string | undefined;
  /** Never throws: a cache that cannot be written costs time only. */
  set(json: string, inputs: ListInputs): void;
}

/** A list of some hundred tools. */
const LONG_BYTES = 128 * 1024;

/** @param key whatever the list depends on besides files: settings, versions, platform */
export function createToolListCache(cacheDir: string, key: unknown, log: Log): ToolListCache {
  const file = join(cacheDir, `tools-${digest(JSON.stringify(key)).slice(0, 16)}.json`);
  return {
    isLong: (tryOs(() => statSync(file, { throwIfNoEntry: false }))?.size ?? 0) >= LONG_BYTES,
    find() {
      const stored = read(file);
      return stored && rehash({}, stored.paths) === stored.stateHash ? stored.json : undefined;
    },
    set(json, { paths, stateHash }) {
      const text = `${JSON.stringify({ paths, stateHash })}\n${json}`;
      try {
        mkdirSync(dirname(file), { recursive: true });
        replaceFile(file, `${digest(text)}\n${text}`);
      } catch (error) {
        log.warn('the cache of the list of tools cannot be written', { file, error: String(error) });
      }
    },
  };
}

/** A line with the hash of the rest, a line with the inputs, the list. What does not fit its hash is damaged, and not a cache. */
function read(file: string): (ListInputs & { json: string }) | undefined {
  try {
    const [hash, inputs, json] = readRegularText(file).split('\n');
    if (inputs === undefined || json === undefined || hash !== digest(`${inputs}\n${json}`)) return undefined;
    return { ...(JSON.parse(inputs) as ListInputs), json };
  } catch {
    return undefined;
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
