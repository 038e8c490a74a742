import { LOCAL, type Principal } from '../core/principal.js';
import type { Snapshot, Tool } from '../core/snapshot.js';
import { byWireName } from '../core/wire-names.js';
import { namesOfTool } from './profile-rules.js';

/**
 * True if the principal operates the server over HTTP, with a key or a token. The client over stdio is a model, not an operator
 * (docs/spec/access.md#operators).
 */
export function isOperator({ name, scopes }: Principal): boolean {
  return name !== LOCAL.name && scopes.has('mortise:operate');
}

/** The tools that only operators see. */
export class OperatorTools {
  readonly #tools: readonly Tool[];
  /** The tools by each spelling of their names. */
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly #extendedSnapshots = new WeakMap<Snapshot, Snapshot>();

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    this.#byName = new Map(
      tools.flatMap((tool) =>
        namesOfTool(tool)
          .filter((name) => name !== tool.plugin)
          .map((name) => [name, tool] as const),
      ),
    );
  }

  /** Returns the snapshot with these tools: always the same object for the same snapshot. */
  addedTo(snapshot: Snapshot): Snapshot {
    const known = this.#extendedSnapshots.get(snapshot);
    if (known) return known;
    const extended = {
      ...snapshot,
      tools: [...snapshot.tools, ...this.#tools].sort(byWireName),
      findTool: (name: string) => this.#byName.get(name) ?? snapshot.findTool(name),
    };
    this.#extendedSnapshots.set(snapshot, extended);
    return extended;
  }
}
