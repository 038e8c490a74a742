import { LOCAL, type Principal } from '../core/principal.js';
import type { Snapshot, Tool } from '../core/snapshot.js';
import { byWireName } from '../core/wire-names.js';
import { namesOfTool } from './profile-rules.js';

/**
 * Who operates the server with a key over HTTP. The client over stdio, a model, does not
 * (docs/spec/access.md#operators).
 */
export function isOperator({ name, scopes }: Principal): boolean {
  return name !== LOCAL.name && scopes.has('mortise:operate');
}

/** The tools that exist for operators alone. */
export class OperatorTools {
  readonly #tools: readonly Tool[];
  /** By each spelling of their names. */
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly #added = new WeakMap<Snapshot, Snapshot>();

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

  /** The snapshot with these tools, made once for each. */
  addedTo(snapshot: Snapshot): Snapshot {
    const known = this.#added.get(snapshot);
    if (known) return known;
    const added = {
      ...snapshot,
      tools: [...snapshot.tools, ...this.#tools].sort(byWireName),
      findTool: (name: string) => this.#byName.get(name) ?? snapshot.findTool(name),
    };
    this.#added.set(snapshot, added);
    return added;
  }
}
