import type { JsonSchema } from '@mortise/plugin';
import type { Prompt, Resource, Tool } from '../core/snapshot.js';
import { toWireName } from '../core/wire-names.js';
import type { Profile } from '../settings/access-settings.js';
import { isFirstParty, type Operations, ownNames } from './operations.js';

/** The name of the built-in profile. */
export const READ_ONLY_PROFILE = 'readOnly';

export const READ_ONLY: Profile = { Exclude: [], ReadOnly: true, Actions: {} };

/** The names by which settings can mean a tool. */
export const namesOfTool = ({ name, wireName, plugin }: Tool): string[] => [
  ...ownNames(plugin),
  name,
  wireName,
  toWireName(name, 'portable'),
];

/** The URI or template of a resource, and the name of its plugin. */
export const namesOfResource = ({ definition, plugin }: Resource): string[] => [
  ...ownNames(plugin),
  definition.uri ?? definition.uriTemplate!,
];

export const namesOfPrompt = ({ definition, plugin }: Prompt): string[] => [...ownNames(plugin), definition.name];

/** What one profile lets through (docs/spec/access.md#profiles). */
export class ProfileRules {
  readonly #include: RegExp | undefined;
  readonly #exclude: RegExp | undefined;
  readonly #isReadOnly: boolean;
  /** By a name of the tool, in lower case. */
  readonly #actions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #operations: Operations;

  constructor({ Include, Exclude, ReadOnly, Actions }: Profile, operations: Operations) {
    this.#include = Include && toPattern(Include);
    this.#exclude = Exclude.length > 0 ? toPattern(Exclude) : undefined;
    this.#isReadOnly = ReadOnly;
    this.#actions = new Map(Object.entries(Actions).map(([tool, names]) => [tool.toLowerCase(), new Set(names)]));
    this.#operations = operations;
  }

  /** Whether something with these names is included and not excluded. */
  includes(names: readonly string[]): boolean {
    const isAny = (pattern: RegExp) => names.some((name) => pattern.test(name));
    return (!this.#include || isAny(this.#include)) && !(this.#exclude && isAny(this.#exclude));
  }

  /** @param isFirstParty it ships with the server, so that what it reads is known to read only */
  allowsReading(names: readonly string[], plugin: string, isFirstParty: boolean): boolean {
    if (!this.includes(names)) return false;
    return !this.#isReadOnly || isFirstParty || this.#operations.isTrusted(plugin);
  }

  /** The tool as this profile shows it: itself, with fewer actions, or undefined. */
  restrict(tool: Tool): Tool | undefined {
    const names = namesOfTool(tool);
    if (!this.includes(names)) return undefined;
    const listed = this.#actions.size > 0 ? this.#listedActions(names) : undefined;
    if (!listed && !this.#isReadOnly) return tool;
    const { action } = tool.definition.inputSchema.properties ?? {};
    if (typeof action !== 'object')
      return listed || !this.#operations.of(tool, undefined).isReadOnly ? undefined : tool;
    const all: readonly unknown[] | undefined = Array.isArray(action.enum) ? action.enum : listed && [...listed];
    if (!all) return this.#operations.of(tool, undefined).isReadOnly ? tool : undefined;
    const isAllowed = (one: unknown) =>
      (!listed || listed.has(String(one))) && (!this.#isReadOnly || this.#operations.of(tool, one).isReadOnly);
    const allowed = all.filter(isAllowed);
    if (allowed.length === 0) return undefined;
    const shown = allowed.length === all.length && action.enum ? tool : withActions(tool, allowed);
    return this.#isReadOnly ? withoutWriting(shown) : shown;
  }

  #listedActions(names: readonly string[]): ReadonlySet<string> | undefined {
    for (const name of names) {
      const found = this.#actions.get(name.toLowerCase());
      if (found) return found;
    }
    return undefined;
  }
}

/** The tool with only these values of `action`, one of which has to be given: a default could be another one. */
function withActions(tool: Tool, allowed: readonly unknown[]): Tool {
  const valuesIn = ({ enum: values }: JsonSchema) =>
    Array.isArray(values) ? values.filter((one) => allowed.includes(one)) : allowed;
  const actionIn = ({ default: usual, ...action }: JsonSchema) => ({
    ...action,
    enum: valuesIn(action),
    ...(allowed.includes(usual) && { default: usual }),
  });
  const restrict = <S extends JsonSchema>(schema: S): S => ({
    ...schema,
    properties: { ...schema.properties, action: actionIn((schema.properties?.action ?? {}) as JsonSchema) },
    required: [...new Set([...((schema.required as string[] | undefined) ?? []), 'action'])],
  });
  const { definition, argumentsSchema, advertisedInputSchema } = tool;
  const actions = definition.actions && {
    actions: Object.fromEntries(Object.entries(definition.actions).filter(([name]) => allowed.includes(name))),
  };
  // Our own descriptions tell of all actions; those of other plugins are their authors' words.
  const description = isFirstParty(tool) && {
    description: `${definition.title ?? tool.name}. The actions: ${allowed.join(', ')}.`,
  };
  return {
    ...tool,
    definition: { ...definition, ...description, ...actions, inputSchema: restrict(definition.inputSchema) },
    ...(argumentsSchema && { argumentsSchema: restrict(argumentsSchema) }),
    advertisedInputSchema: restrict(advertisedInputSchema),
  };
}

/**
 * The tool without the parameters with which an action that reads would write, and with none that it does not declare.
 */
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

/** One expression for all patterns; `*` stands for any characters. */
export function toPattern(patterns: readonly string[]): RegExp {
  const escaped = patterns.map((pattern) => pattern.replace(/[\\^$.+?()[\]{}|/]/g, '\\$&').replace(/\*+/g, '.*'));
  return new RegExp(patterns.length === 0 ? '(?!)' : `^(?:${escaped.join('|')})$`, 'isu');
}
