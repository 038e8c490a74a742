import type { JsonSchema } from '@mortise/plugin';
import type { Prompt, Resource, Tool } from '../core/snapshot.js';
import { toWireName } from '../core/wire-names.js';
import type { Profile } from '../settings/access-settings.js';
import { isFirstParty, type Operations, settingsNames } from './operations.js';

/** The name of the built-in profile. */
export const READ_ONLY_PROFILE = 'readOnly';

/** The built-in profile. */
export const READ_ONLY: Profile = { Exclude: [], ReadOnly: true, Actions: {} };

/** Returns the names by which settings can refer to a tool, including those of its plugin. */
export const namesOfTool = ({ name, wireName, plugin }: Tool): string[] => [
  ...settingsNames(plugin),
  name,
  wireName,
  toWireName(name, 'portable'),
];

/** Returns the URI or template of a resource, and the names of its plugin. */
export const namesOfResource = ({ definition, plugin }: Resource): string[] => [
  ...settingsNames(plugin),
  definition.uri ?? definition.uriTemplate!,
];

export const namesOfPrompt = ({ definition, plugin }: Prompt): string[] => [...settingsNames(plugin), definition.name];

/** Decides what one profile shows (docs/spec/access.md#profiles). */
export class ProfileRules {
  readonly #include: RegExp | undefined;
  readonly #exclude: RegExp | undefined;
  readonly #isReadOnly: boolean;
  /** The allowed actions by a name of the tool in lower case. */
  readonly #allowedActions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #operations: Operations;

  constructor({ Include, Exclude, ReadOnly, Actions }: Profile, operations: Operations) {
    this.#include = Include && toPattern(Include);
    this.#exclude = Exclude.length > 0 ? toPattern(Exclude) : undefined;
    this.#isReadOnly = ReadOnly;
    this.#allowedActions = new Map(
      Object.entries(Actions).map(([tool, names]) => [tool.toLowerCase(), new Set(names)]),
    );
    this.#operations = operations;
  }

  /** True if one of the names is included and none is excluded. */
  includes(names: readonly string[]): boolean {
    const matchesAny = (pattern: RegExp) => names.some((name) => pattern.test(name));
    return (!this.#include || matchesAny(this.#include)) && !(this.#exclude && matchesAny(this.#exclude));
  }

  /**
   * True if the profile shows a resource or prompt.
   * @param names of the resource or prompt
   * @param owner its plugin. In a read-only profile it must ship with the server, or have trusted annotations
   */
  allowsReading(names: readonly string[], owner: { readonly plugin: string; readonly isFirstParty: boolean }): boolean {
    if (!this.includes(names)) return false;
    return !this.#isReadOnly || owner.isFirstParty || this.#operations.isTrusted(owner.plugin);
  }

  /** Returns the tool as this profile shows it, perhaps with fewer actions; undefined if the profile hides it. */
  restrict(tool: Tool): Tool | undefined {
    const names = namesOfTool(tool);
    if (!this.includes(names)) return undefined;
    const listed = this.#allowedActions.size > 0 ? this.#listedActions(names) : undefined;
    if (!listed && !this.#isReadOnly) return tool;
    const { action } = tool.definition.inputSchema.properties ?? {};
    const isReadOnlyTool = () => this.#operations.of(tool, undefined).isReadOnly;
    if (typeof action !== 'object') return !listed && isReadOnlyTool() ? tool : undefined;
    const all: readonly unknown[] | undefined = Array.isArray(action.enum) ? action.enum : listed && [...listed];
    if (!all) return isReadOnlyTool() ? tool : undefined;
    const isAllowed = (name: unknown) =>
      (!listed || listed.has(String(name))) && (!this.#isReadOnly || this.#operations.of(tool, name).isReadOnly);
    const allowed = all.filter(isAllowed);
    if (allowed.length === 0) return undefined;
    const shown = allowed.length === all.length && action.enum ? tool : withActions(tool, allowed);
    return this.#isReadOnly ? withoutWriting(shown) : shown;
  }

  #listedActions(names: readonly string[]): ReadonlySet<string> | undefined {
    for (const name of names) {
      const actions = this.#allowedActions.get(name.toLowerCase());
      if (actions) return actions;
    }
    return undefined;
  }
}

/**
 * Restricts the tool to these values of `action`, and makes `action` required, because its default could be another.
 */
function withActions(tool: Tool, allowed: readonly unknown[]): Tool {
  const restrictValues = ({ enum: values }: JsonSchema) =>
    Array.isArray(values) ? values.filter((value) => allowed.includes(value)) : allowed;
  const restrictAction = ({ default: defaultAction, ...action }: JsonSchema) => ({
    ...action,
    enum: restrictValues(action),
    ...(allowed.includes(defaultAction) && { default: defaultAction }),
  });
  const restrict = <S extends JsonSchema>(schema: S): S => ({
    ...schema,
    properties: { ...schema.properties, action: restrictAction((schema.properties?.action ?? {}) as JsonSchema) },
    required: [...new Set([...((schema.required as string[] | undefined) ?? []), 'action'])],
  });
  const { definition, argumentsSchema, advertisedInputSchema } = tool;
  const actions = definition.actions && {
    actions: Object.fromEntries(Object.entries(definition.actions).filter(([name]) => allowed.includes(name))),
  };
  // First-party descriptions mention all actions. Those of other plugins are not changed.
  const description = isFirstParty(tool) && {
    description: `${definition.title ?? tool.name}. The actions: ${allowed.join(', ')}.`,
  };
  return {
    ...tool,
    hasRestrictedActions: true,
    definition: { ...definition, ...description, ...actions, inputSchema: restrict(definition.inputSchema) },
    ...(argumentsSchema && { argumentsSchema: restrict(argumentsSchema) }),
    advertisedInputSchema: restrict(advertisedInputSchema),
  };
}

/** Removes the parameters that make a reading action write, and rejects undeclared ones. */
function withoutWriting(tool: Tool): Tool {
  const { definition, advertisedInputSchema } = tool;
  const actions = Object.entries(definition.actions ?? {});
  const hidden = new Set(actions.flatMap(([, { writesWith = [] }]) => writesWith));
  if (hidden.size === 0) return tool;
  const isShown = (name: string) => !hidden.has(name);
  const restrict = <S extends JsonSchema>(schema: S): S => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => isShown(name))),
    additionalProperties: false,
  });
  const restricted = actions.map(([name, { writesWith: _writesWith, ...action }]) => [
    name,
    { ...action, ...(action.optional && { optional: action.optional.filter(isShown) }) },
  ]);
  return {
    ...tool,
    definition: {
      ...definition,
      actions: Object.fromEntries(restricted),
      inputSchema: restrict(definition.inputSchema),
    },
    advertisedInputSchema: restrict(advertisedInputSchema),
  };
}

/** Combines patterns to one expression that ignores case. `*` stands for any characters. */
export function toPattern(patterns: readonly string[]): RegExp {
  const escaped = patterns.map((pattern) => pattern.replace(/[\\^$.+?()[\]{}|/]/g, '\\$&').replace(/\*+/g, '.*'));
  return new RegExp(patterns.length === 0 ? '(?!)' : `^(?:${escaped.join('|')})$`, 'isu');
}
