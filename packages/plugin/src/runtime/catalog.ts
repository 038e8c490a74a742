import type { CallContext } from '../call-context.js';
import type { Completer, ListContext, RegisteredPrompt, RegisteredResource } from '../register.js';
import type { PluginDefinition, PromptDefinition, ResourceDefinition, ToolDefinition } from './plugin-instance.js';
import type { SettingsRequest } from './plugin-settings.js';
import type { PluginProblem } from './problem.js';

interface Entry<Definition> {
  readonly definition: Definition;
  /** The value that it was made of: one value counts once, however often it is exported or registered. */
  readonly source: object;
  /** Warnings; they leave with the entry. */
  readonly problems: PluginProblem[];
}

export interface ToolEntry extends Entry<ToolDefinition> {
  /** The class, for log lines. */
  readonly scope?: string;
  invoke(args: Record<string, unknown>, context: CallContext): unknown;
}

export interface ResourceEntry extends Entry<ResourceDefinition> {
  readonly read: RegisteredResource['read'];
  /** Of a template that lists its resources. */
  readonly list?: (context: ListContext) => unknown;
  /** Runs while clients are subscribed. */
  readonly watch?: NonNullable<RegisteredResource['watch']>;
  readonly complete: ReadonlyMap<string, Completer>;
}

export interface PromptEntry extends Entry<PromptDefinition> {
  readonly get: RegisteredPrompt['get'];
  readonly complete: ReadonlyMap<string, Completer>;
}

/** What a plugin offers at the moment, by name or URI. */
export class Catalog {
  readonly tools = new Map<string, ToolEntry>();
  readonly resources = new Map<string, ResourceEntry>();
  readonly prompts = new Map<string, PromptEntry>();
  readonly #problems = new Map<string, PluginProblem>();
  /** What the plugin asked for of its settings. */
  settings: SettingsRequest | undefined;
  /** What models should know of the plugin as a whole. */
  instructions: string | undefined;
  #definition: PluginDefinition | undefined;
  #onChange: () => void = () => {};

  /** Everything as data: the same object until something changes. */
  get definition(): PluginDefinition {
    this.#definition ??= {
      tools: definitions(this.tools),
      resources: definitions(this.resources),
      prompts: definitions(this.prompts),
      problems: [
        ...this.#problems.values(),
        ...[this.tools, this.resources, this.prompts].flatMap((kind) =>
          [...kind.values()].flatMap((entry) => entry.problems),
        ),
      ],
      ...(this.settings && { settings: this.settings }),
      ...(this.instructions && { instructions: this.instructions }),
    };
    return this.#definition;
  }

  /** From now on `listener` is called immediately for each change. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Notes a problem; the same one counts once. */
  addProblem(problem: PluginProblem): void {
    this.#problems.set(`${problem.code} ${problem.location.subject} ${problem.message}`, problem);
    this.#changed();
  }

  /** Adds an entry whose key is free, and returns what takes it back. */
  add<E>(kind: Map<string, E>, key: string, entry: E): () => void {
    kind.set(key, entry);
    this.#changed();
    return () => {
      if (kind.get(key) !== entry) return;
      kind.delete(key);
      this.#changed();
    };
  }

  #changed(): void {
    this.#definition = undefined;
    this.#onChange();
  }
}

function definitions<D>(kind: ReadonlyMap<string, Entry<D>>): D[] {
  return Array.from(kind.values(), (entry) => entry.definition);
}
