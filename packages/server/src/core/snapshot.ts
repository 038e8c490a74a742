import type { JsonSchema } from '@mortise/plugin';
import type { PromptDefinition, ResourceDefinition, ToolDefinition } from '@mortise/plugin/runtime';
import type { Runner } from './plugin-runner.js';
import type { PluginStatus } from './plugin-status.js';

/** The plugin that owns a tool, resource or prompt. */
export interface PluginRef {
  readonly plugin: string;
  /** The plugin's path, because two plugins can have the same name. */
  readonly path: string;
}

/** A tool of any kind of plugin. Code that uses a snapshot does not know the kind. */
export interface Tool extends PluginRef {
  /** The name as its author wrote it. */
  readonly name: string;
  /** The name that clients see (`Tools.NameStyle`). */
  readonly wireName: string;
  readonly definition: ToolDefinition;
  /** Schema that replaces `inputSchema` in validation: a mounted server validates its arguments itself. */
  readonly argumentsSchema?: JsonSchema;
  /** The inputSchema that clients see. */
  readonly advertisedInputSchema: JsonSchema;
  /**
   * The outputSchema that clients see: the tool's own or an ErrorResponse
   * (docs/spec/plugin-results.md#advertised-output-schema).
   */
  readonly advertisedOutputSchema?: JsonSchema;
  /** Set if a profile restricts the values of the parameter `action`. Other spellings of its name are then refused. */
  readonly hasRestrictedActions?: true;
  /** Values of the parameter `action` that are accepted but not mentioned in lists or errors. */
  readonly unlistedActions?: readonly string[];
  /** Set if the tool ships with the server. Its shortened results have `fullOutput`; other tools' only have a link. */
  readonly isFirstParty?: true;
  readonly runner: Runner;
}

export interface Resource extends PluginRef {
  readonly definition: ResourceDefinition;
  readonly runner: Runner;
}

export interface Prompt extends PluginRef {
  readonly definition: PromptDefinition;
  readonly runner: Runner;
}

/** All tools, resources and prompts at one moment. Immutable: a reload creates a new one. */
export interface Snapshot {
  /** Sorted by wire name. */
  readonly tools: readonly Tool[];
  /** Resources with a fixed `uri`, sorted by it. */
  readonly resources: readonly Resource[];
  /** Resources with a `uriTemplate`. */
  readonly templates: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly plugins: readonly PluginStatus[];
  /** Finds a tool by its wire name or by the author's name. */
  findTool(name: string): Tool | undefined;
  findPrompt(name: string): Prompt | undefined;
  /**
   * In a view (docs/spec/access.md#views): true if the URI belongs to a resource outside of the view. A template of the
   * view must not read it.
   */
  hidesUri?(uri: string): boolean;
}
