import type { JsonSchema } from '@mortise/plugin';
import type { PromptDefinition, ResourceDefinition, ToolDefinition } from '@mortise/plugin/runtime';
import type { Runner } from './plugin-runner.js';
import type { PluginStatus } from './plugin-status.js';

/** Whose something is. */
export interface PluginRef {
  /** The plugin's name. */
  readonly plugin: string;
  /** The path of the plugin, because two plugins can have the same name. */
  readonly path: string;
}

/** What every way in ends as. Nothing behind the snapshot knows which kind of plugin a tool came from. */
export interface Tool extends PluginRef {
  /** The name as its author wrote it. */
  readonly name: string;
  /** The name that clients see (`Tools.NameStyle`). */
  readonly wireName: string;
  readonly definition: ToolDefinition;
  /** What arguments are validated against, where that is not the tool's inputSchema: a mounted server judges its own. */
  readonly argumentsSchema?: JsonSchema;
  /** What is advertised as inputSchema. */
  readonly advertisedInputSchema: JsonSchema;
  /**
   * What is advertised as outputSchema: the tool's own or an ErrorResponse
   * (docs/spec/plugin-results.md#advertised-output-schema).
   */
  readonly advertisedOutputSchema?: JsonSchema;
  /** Values of the parameter `action` that are accepted, and that neither lists nor errors name. */
  readonly unlistedActions?: readonly string[];
  /** It ships with the server: its results have `fullOutput` where those of others have a link alone. */
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
  /** In the order of their wire names. */
  readonly tools: readonly Tool[];
  /** With a fixed uri, in the order of their URIs. */
  readonly resources: readonly Resource[];
  /** With a uriTemplate. */
  readonly templates: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly plugins: readonly PluginStatus[];
  /** Finds a tool by its wire name or by the author's name. */
  findTool(name: string): Tool | undefined;
  findPrompt(name: string): Prompt | undefined;
  /** In a view (docs/spec/access.md#views): whether the URI is that of a resource outside of it, which no template may read. */
  hidesUri?(uri: string): boolean;
}
