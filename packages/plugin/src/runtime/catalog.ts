import type { CallContext } from '../call-context.js';
import type { Completer, ListContext, RegisteredPrompt, RegisteredResource } from '../register.js';
import type { PluginDefinition, PromptDefinition, ResourceDefinition, ToolDefinition } from './plugin-instance.js';
import type { SettingsRequest } from './plugin-settings.js';
import type { PluginProblem } from './problem.js';

interface Entry<Definition> {
  readonly definition: Definition;
  /** The author's value. It counts once, however often it is exported or registered. */
  readonly source: object;
  /** Warnings, which are removed together with the entry. */
  readonly problems: PluginProblem[];
}

export interface ToolEntry extends Entry<ToolDefinition> {
  /** The name of the class, for log lines. */
  readonly scope?: string;
  invoke(args: Record<string, unknown>, context: CallContext): unknown;
}

export interface ResourceEntry extends Entry<ResourceDefinition> {
  readonly read: RegisteredResource['read'];
  readonly list?: (context: ListContext) => unknown;
  /** Runs while clients are subscribed. */
  readonly watch?: NonNullable<RegisteredResource['watch']>;
  readonly complete: ReadonlyMap<string, Completer>;
}

export interface PromptEntry extends Entry<PromptDefinition> {
  readonly get: RegisteredPrompt['get'];
  readonly complete: ReadonlyMap<string, Completer>;
}

export class Catalog {
  readonly tools = new Map<string, ToolEntry>();
  readonly resources = new Map<string, ResourceEntry>();
  readonly prompts = new Map<string, PromptEntry>();
  readonly #problems = new Map<string, PluginProblem>();
  settings: SettingsRequest | undefined;
  instructions: string | undefined;
  #definition: PluginDefinition | undefined;
  #onChange: () => void = () => {};

  /** The whole catalog as data. It is the same object until something changes. */
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

  /** Makes `listener` run synchronously after each change. Replaces the listener before it. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Adds a problem. Equal problems count once. */
  addProblem(problem: PluginProblem): void {
    this.#problems.set(`${problem.code} ${problem.location.subject} ${problem.message}`, problem);
    this.#changed();
  }

  /** Adds an entry under a key that is not used yet. Returns a function that removes it. */
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
