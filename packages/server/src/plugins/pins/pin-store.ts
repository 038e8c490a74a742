import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';
import { type AllPins, readPinFile } from './pin-file.js';
import { completes, type PluginPins } from './plugin-pins.js';
import { updatePinFile } from './write-pin-file.js';

/** The pins of one `mortise.lock.json`, as they are in the file and as they are about to be. */
export interface PinStore {
  /** Why the file cannot be read (PIN_FILE_INVALID). It is not written then either. */
  problem(): PluginProblem | undefined;
  /** Undefined for a plugin that was never seen. */
  get(key: string): PluginPins | undefined;
  /** The pins of all plugins, those of this run included. */
  all(): AllPins;
  /** The pins of the file, and those that were set since. */
  storedPins(): AllPins;
  /**
   * Pins a plugin that is seen for the first time, or whose pins contain only tools; `make` is called once, when the pins
   * are needed. Pins that another server has written in the meantime are kept.
   */
  add(key: string, make: () => PluginPins): void;
  /** Replaces the pins of a plugin. */
  set(key: string, pins: PluginPins): void;
  /** Writes what was added and set, in one go. Never rejects: gives why it could not (PIN_FILE_INVALID, PIN_FILE_NOT_WRITTEN). */
  flush(): Promise<PluginProblem | undefined>;
  /** Reads the file again if it has changed. @returns whether it has */
  reload(): boolean;
}

/** After this many new pins the event loop runs. */
const SLICE = 20;

/** Reads the file when something is first asked of it. @param file absolute; it need not exist */
export function createPinStore(file: string): PinStore {
  let saved: AllPins | undefined;
  /** What `all` and `storedPins` give, until something changes. */
  let everything: AllPins | undefined;
  let storedPins: AllPins | undefined;
  let problem: PluginProblem | undefined;
  let readStateHash: string | undefined;
  const added = new Map<string, () => PluginPins>();
  const replaced = new Map<string, PluginPins>();
  let writing: Promise<PluginProblem | undefined> = Promise.resolve(undefined);

  function read(): AllPins {
    readStateHash = stateHashOf(file);
    const content = readPinFile(file);
    problem = 'problem' in content ? content.problem : undefined;
    saved = 'problem' in content ? new Map() : content.pins;
    everything = storedPins = undefined;
    return saved;
  }

  async function write(): Promise<PluginProblem | undefined> {
    if (added.size + replaced.size === 0) return undefined;
    const made = new Map<string, PluginPins>();
    for (const [key, make] of [...added]) {
      if (made.size % SLICE === 0) await setImmediate();
      made.set(key, make());
    }
    const over = new Map(replaced);
    const updated = await updatePinFile(file, (pins) => {
      const storedPins = [...pins].filter(([key, stored]) => !completes(made.get(key), stored));
      return new Map([...made, ...storedPins, ...over]);
    });
    if ('problem' in updated) return updated.problem;
    saved = updated.pins;
    everything = storedPins = undefined;
    readStateHash = undefined;
    problem = undefined;
    for (const key of made.keys()) added.delete(key);
    for (const [key, pins] of over) if (replaced.get(key) === pins) replaced.delete(key);
    return undefined;
  }

  return {
    problem() {
      if (!saved) read();
      return problem;
    },
    all() {
      const stored = saved ?? read();
      everything ??= new Map([...Array.from(added, ([key, make]) => [key, make()] as const), ...stored, ...replaced]);
      return everything;
    },
    storedPins() {
      const stored = saved ?? read();
      storedPins ??= new Map([...stored, ...replaced]);
      return storedPins;
    },
    get: (key) => replaced.get(key) ?? (saved ?? read()).get(key) ?? added.get(key)?.(),
    add(key, make) {
      everything = undefined;
      added.set(key, once(make));
    },
    set(key, pins) {
      everything = storedPins = undefined;
      replaced.set(key, pins);
    },
    flush() {
      writing = writing.then(write);
      return writing;
    },
    reload() {
      if (readStateHash === stateHashOf(file)) return false;
      read();
      return true;
    },
  };
}

/** Identifies the state of the file. */
function stateHashOf(file: string): string {
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
