import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';
import { type AllPins, readPinFile } from './pin-file.js';
import { completes, type PluginPins } from './plugin-pins.js';
import { updatePinFile } from './write-pin-file.js';

/** Number of plugins that are pinned in one turn of the event loop. */
const PLUGINS_PER_TURN = 20;

/**
 * The pins of one `mortise.lock.json`, and those that are about to be written. The file is read when it is first
 * needed.
 */
export class PinStore {
  readonly #file: string;
  /** The pins of the file when it was last read or written. */
  #saved: AllPins | undefined;
  /** Caches the result of `all` until something changes. */
  #allPins: AllPins | undefined;
  /** Caches the result of `storedPins` until something changes. */
  #storedPins: AllPins | undefined;
  #problem: PluginProblem | undefined;
  /** The state of the file when it was last read; undefined if it was written since. */
  #readState: string | undefined;
  /** Pins that are about to be written, unless the file has pins of the plugin by then. */
  readonly #added = new Map<string, () => PluginPins>();
  /** Pins that are about to be written, whatever the file has. */
  readonly #replaced = new Map<string, PluginPins>();
  #writing: Promise<PluginProblem | undefined> = Promise.resolve(undefined);

  /** @param file the absolute path; the file may be missing */
  constructor(file: string) {
    this.#file = file;
  }

  /** The problem PIN_FILE_INVALID if the file cannot be read. The file is then not written, either. */
  problem(): PluginProblem | undefined {
    this.#pins();
    return this.#problem;
  }

  /** Returns the pins of a plugin; undefined if it was never seen. */
  get(key: string): PluginPins | undefined {
    return this.#replaced.get(key) ?? this.#pins().get(key) ?? this.#added.get(key)?.();
  }

  /** Returns the pins of all plugins, including those that were added or set in this run. */
  all(): AllPins {
    const saved = this.#pins();
    const added = () => Array.from(this.#added, ([key, make]) => [key, make()] as const);
    this.#allPins ??= new Map([...added(), ...saved, ...this.#replaced]);
    return this.#allPins;
  }

  /**
   * Returns the pins that count as reviewed: those of the file, and those set since it was read. Pins of plugins that are
   * seen for the first time are not among them.
   */
  storedPins(): AllPins {
    const saved = this.#pins();
    this.#storedPins ??= new Map([...saved, ...this.#replaced]);
    return this.#storedPins;
  }

  /**
   * Pins a plugin that is seen for the first time, or whose stored pins are incomplete because they contain only tools.
   * `make` is called once, when the pins are needed. Pins that another server writes in the meantime take precedence.
   */
  add(key: string, make: () => PluginPins): void {
    this.#allPins = undefined;
    this.#added.set(key, once(make));
  }

  /** Replaces the pins of a plugin. */
  set(key: string, pins: PluginPins): void {
    this.#clearCaches();
    this.#replaced.set(key, pins);
  }

  /**
   * Writes all pins that were added or set. Returns PIN_FILE_INVALID or PIN_FILE_NOT_WRITTEN if that fails; the pins
   * are then written by the next call.
   */
  flush(): Promise<PluginProblem | undefined> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Reads the file again if it has changed. @returns true if it has */
  reload(): boolean {
    if (this.#readState === stateOf(this.#file)) return false;
    this.#read();
    return true;
  }

  #pins(): AllPins {
    return this.#saved ?? this.#read();
  }

  #read(): AllPins {
    this.#readState = stateOf(this.#file);
    const content = readPinFile(this.#file);
    this.#problem = 'problem' in content ? content.problem : undefined;
    this.#saved = 'problem' in content ? new Map() : content.pins;
    this.#clearCaches();
    return this.#saved;
  }

  async #write(): Promise<PluginProblem | undefined> {
    if (this.#added.size + this.#replaced.size === 0) return undefined;
    const added = new Map<string, PluginPins>();
    for (const [key, make] of [...this.#added]) {
      if (added.size % PLUGINS_PER_TURN === 0) await setImmediate();
      added.set(key, make());
    }
    const replaced = new Map(this.#replaced);
    const updated = await updatePinFile(this.#file, (pins) => {
      const stored = [...pins].filter(([key, stored]) => !completes(added.get(key), stored));
      return new Map([...added, ...stored, ...replaced]);
    });
    if ('problem' in updated) return updated.problem;
    this.#saved = updated.pins;
    this.#clearCaches();
    this.#readState = undefined;
    this.#problem = undefined;
    for (const key of added.keys()) this.#added.delete(key);
    for (const [key, pins] of replaced) if (this.#replaced.get(key) === pins) this.#replaced.delete(key);
    return undefined;
  }

  #clearCaches(): void {
    this.#allPins = undefined;
    this.#storedPins = undefined;
  }
}

/** Identifies the state of the file by its metadata. */
function stateOf(file: string): string {
  const stats = tryOs(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stats ? `${stats.size} ${stats.ctimeNs} ${stats.mtimeNs} ${stats.ino}` : 'absent';
}

function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}
