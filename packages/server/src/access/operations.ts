import { ownMember } from '@mortise/plugin/runtime';
import type { Scope } from '../core/principal.js';
import type { Tool } from '../core/snapshot.js';

/** What calling a tool does, as far as access is concerned. */
export interface Operation {
  readonly scope: Scope;
  /** It changes nothing: part of the profile `readOnly`. */
  readonly isReadOnly: boolean;
}

const READ: Operation = { scope: 'mortise:read', isReadOnly: true };
const WRITE: Operation = { scope: 'mortise:write', isReadOnly: false };
const INSPECT: Operation = { scope: 'mortise:operate', isReadOnly: true };
const OPERATE: Operation = { scope: 'mortise:operate', isReadOnly: false };

/** The operations of the tools that the server has itself, by their action. */
const BUILT_IN: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  'builtin.plugins': { List: READ, Status: INSPECT, Reload: OPERATE },
  'builtin.operate': { Accept: OPERATE, Reload: OPERATE },
};

/** Whether the tool ships with the server, and its texts are ours: no plugin can take these names. */
export const isFirstParty = (tool: Tool) => tool.isFirstParty === true || isBuiltIn(tool);

const isBuiltIn = ({ name }: Tool) => name.startsWith('builtin.');

/** Says which operation a call is. */
export class Operations {
  readonly #trusted: ReadonlySet<string>;

  /** @param trustAnnotations names of the plugins and mounted servers whose annotations are facts */
  constructor(trustAnnotations: readonly string[]) {
    this.#trusted = new Set(trustAnnotations.map((name) => name.toLowerCase()));
  }

  /**
   * What is not known to read only writes.
   * @param action the argument `action`, where the tool has one
   * @param args all arguments: with some of them an action writes
   */
  of(tool: Tool, action: unknown, args: Readonly<Record<string, unknown>> = {}): Operation {
    const name = typeof action === 'string' ? action : '';
    if (isBuiltIn(tool)) return ownMember(BUILT_IN[tool.name] ?? {}, name) ?? WRITE;
    if (!tool.isFirstParty && !this.isTrusted(tool.plugin)) return WRITE;
    const { actions, annotations } = tool.definition;
    const hints = ownMember(actions ?? {}, name);
    if ((hints?.readOnlyHint ?? annotations?.readOnlyHint) !== true) return WRITE;
    return hints?.writesWith?.some((parameter) => (ownMember(args, parameter) ?? false) !== false) ? WRITE : READ;
  }

  /** Whether the operator believes the annotations of the plugin or mounted server. */
  isTrusted(plugin: string): boolean {
    return ownNames(plugin).some((name) => this.#trusted.has(name));
  }
}

/** The names of a plugin in settings, in lower case: a mounted server has that of its entry too. */
export function ownNames(plugin: string): string[] {
  const name = plugin.toLowerCase();
  return name.startsWith('mcp.') ? [name, name.slice('mcp.'.length)] : [name];
}
