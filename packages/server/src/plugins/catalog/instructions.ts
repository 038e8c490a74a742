import type { Redactor } from '@mortise/redact';
import type { NameStyle } from '../../core/plugin-candidate.js';
import type { Snapshot } from '../../core/snapshot.js';
import { toWireName } from '../../core/wire-names.js';
import type { InstructionsCache } from '../load/instructions-cache.js';
import { perSnapshot } from './per-snapshot.js';

/** Limit for the instructions of all plugins together, because models read them at the beginning of each session. */
const MAX_CHARS = 100_000;

interface Options {
  readonly redactor: Redactor;
  readonly nameStyle: NameStyle;
  readonly cache: InstructionsCache | undefined;
}

/** The instructions of plugins and mounted servers for models (docs/spec/mounted-servers.md#instructions). */
export class Instructions {
  readonly #cache: InstructionsCache | undefined;
  readonly #textOf: (view: Snapshot) => string;

  constructor({ redactor, nameStyle, cache }: Options) {
    this.#cache = cache;
    this.#textOf = perSnapshot(({ plugins }) => redactor.text(join(plugins, nameStyle)));
  }

  /**
   * Returns the redacted instructions of all plugins in the view; '' if there are none.
   * @param isEarly true while some plugins are loading: the instructions that an earlier start saved are then complete
   */
  of(view: Snapshot, { isEarly }: { isEarly: boolean }): string {
    return (isEarly ? this.#cache?.get() : undefined) ?? this.#textOf(view);
  }

  /** Saves the instructions for the next start. @param view all plugins, once they have loaded */
  save(view: Snapshot): void {
    this.#cache?.set(this.#textOf(view));
  }
}

function join(plugins: Snapshot['plugins'], nameStyle: NameStyle): string {
  let remainingChars = MAX_CHARS;
  const parts: string[] = [];
  for (const { name, kind, instructions } of plugins) {
    if (instructions === undefined) continue;
    const heading =
      kind === 'server'
        ? `Instructions of the server '${name}', whose tools have the prefix ${toWireName(`${name}.`, nameStyle)}:`
        : `Instructions of the plugin '${name}':`;
    const part = `${heading}\n${instructions.trim()}`;
    if (part.length > remainingChars) continue;
    remainingChars -= part.length;
    parts.push(part);
  }
  return parts.join('\n\n');
}
