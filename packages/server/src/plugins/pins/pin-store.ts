import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';
import { type AllPins, readPinFile } from './pin-file.js';
import { completes, type PluginPins } from './plugin-pins.js';
import { updatePinFile } from './write-pin-file.js';

/** After this many new pins the event loop runs. */
const SLICE = 20;

/** The pins of one `mortise.lock.json`, as they are in the file and as they are about to be. The file is read when it is first needed. */
export class PinStore {
  readonly #file: string;
  #saved: AllPins | undefined;
  /** What `all` and `storedPins` give, until something changes. */
  #everything: AllPins | undefined;
  #stored: AllPins | undefined;
  #problem: PluginProblem | undefined;
  #readState: string | undefined;
  readonly #added = new Map<string, () => PluginPins>();
  readonly #replaced = new Map<string, PluginPins>();
  #writing: Promise<PluginProblem | undefined> = Promise.resolve(undefined);

  /** @param file absolute; it need not exist */
  constructor(file: string) {
    this.#file = file;
  }

  /** Why the file cannot be read (PIN_FILE_INVALID). It is not written then either. */
  problem(): PluginProblem | undefined {
    this.#pins();
    return this.#problem;
  }

  /** Undefined for a plugin that was never seen. */
  get(key: string): PluginPins | undefined {
    return this.#replaced.get(key) ?? this.#pins().get(key) ?? this.#added.get(key)?.();
  }

  /** The pins of all plugins, those of this run included. */
  all(): AllPins {
    const saved = this.#pins();
    const added = () => Array.from(this.#added, ([key, make]) => [key, make()] as const);
    this.#everything ??= new Map([...added(), ...saved, ...this.#replaced]);
    return this.#everything;
  }

  /** The pins of the file, and those that were set since. */
  storedPins(): AllPins {
    const saved = this.#pins();
    this.#stored ??= new Map([...saved, ...this.#replaced]);
    return this.#stored;
  }

  /**
   * Pins a plugin that is seen for the first time, or whose pins contain only tools; `make` is called once, when the pins
   * are needed. Pins that another server has written in the meantime are kept.
   */
  add(key: string, make: () => PluginPins): void {
    this.#everything = undefined;
    this.#added.set(key, once(make));
  }

  /** Replaces the pins of a plugin. */
  set(key: string, pins: PluginPins): void {
    this.#forgetMaps();
    this.#replaced.set(key, pins);
  }

  /** Writes what was added and set, in one go. Never rejects: gives why it could not (PIN_FILE_INVALID, PIN_FILE_NOT_WRITTEN). */
  flush(): Promise<PluginProblem | undefined> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Reads the file again if it has changed. @returns whether it has */
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
    this.#forgetMaps();
    return this.#saved;
  }

  async #write(): Promise<PluginProblem | undefined> {
    if (this.#added.size + this.#replaced.size === 0) return undefined;
    const made = new Map<string, PluginPins>();
    for (const [key, make] of [...this.#added]) {
      if (made.size % SLICE === 0) await setImmediate();
      made.set(key, make());
    }
    const over = new Map(this.#replaced);
    const updated = await updatePinFile(this.#file, (pins) => {
      const stored = [...pins].filter(([key, stored]) => !completes(made.get(key), stored));
      return new Map([...made, ...stored, ...over]);
    });
    if ('problem' in updated) return updated.problem;
    this.#saved = updated.pins;
    this.#forgetMaps();
    this.#readState = undefined;
    this.#problem = undefined;
    for (const key of made.keys()) this.#added.delete(key);
    for (const [key, pins] of over) if (this.#replaced.get(key) === pins) this.#replaced.delete(key);
    return undefined;
  }

  #forgetMaps(): void {
    this.#everything = undefined;
    this.#stored = undefined;
  }
}

/** Identifies the state of the file. */
function stateOf(file: string): string {
  const stats = tryOs(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stats ? `${stats.size} ${stats.ctimeNs} ${stats.mtimeNs} ${stats.ino}` : 'absent';
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
