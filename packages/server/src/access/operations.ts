import { ownMember } from '@mortise/plugin/runtime';
import type { Scope } from '../core/principal.js';
import type { Tool } from '../core/snapshot.js';

/** The effect of a call, on which the access to the call depends. */
export interface Operation {
  readonly scope: Scope;
  /** True if the call changes nothing, so that the profile `readOnly` allows it. */
  readonly isReadOnly: boolean;
}

const READ: Operation = { scope: 'mortise:read', isReadOnly: true };
const WRITE: Operation = { scope: 'mortise:write', isReadOnly: false };
const INSPECT: Operation = { scope: 'mortise:operate', isReadOnly: true };
const OPERATE: Operation = { scope: 'mortise:operate', isReadOnly: false };

/** The operations of the server's own tools, by tool and action. */
const BUILT_IN: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  'builtin.plugins': { List: READ, Status: INSPECT, Reload: OPERATE },
  'builtin.operate': { Accept: OPERATE, Reload: OPERATE },
};

/** True if the tool ships with the server. The names `builtin.…` are reserved, so no plugin can have them. */
export const isFirstParty = (tool: Tool) => tool.isFirstParty === true || isBuiltIn(tool);

const isBuiltIn = ({ name }: Tool) => name.startsWith('builtin.');

/** Determines the operation of a call. */
export class Operations {
  readonly #trustedNames: ReadonlySet<string>;

  /** @param trustAnnotations names of the plugins and mounted servers whose annotations the operator trusts */
  constructor(trustAnnotations: readonly string[]) {
    this.#trustedNames = new Set(trustAnnotations.map((name) => name.toLowerCase()));
  }

  /**
   * Returns the operation of a call. A call writes unless it is known to be read-only.
   * @param action the argument `action`, if the tool has one
   * @param args all arguments, because some arguments make a reading action write
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

  /** True if the operator trusts the annotations of the plugin or mounted server. */
  isTrusted(plugin: string): boolean {
    return settingsNames(plugin).some((name) => this.#trustedNames.has(name));
  }
}

/** Returns the names of a plugin in settings, in lower case. A mounted server has one with and one without `mcp.`. */
export function settingsNames(plugin: string): string[] {
  const name = plugin.toLowerCase();
  return name.startsWith('mcp.') ? [name, name.slice('mcp.'.length)] : [name];
}
