import type { Json, JsonObject } from '../json/json.js';

/** A tool as the server lists it. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** What each action takes, as `mortise://plugins` says it (docs/spec/plugin-api.md#tool-actions). */
  readonly actions?: JsonObject;
}

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
}

export interface PluginProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly location: { readonly file: string; readonly line?: number; readonly column?: number };
  /** Of PLUGIN_DEFINITION_CHANGED and NAME_PINNED: what accepts the definition names its hash (docs/spec/access.md#operators). */
  readonly data?: { readonly sha256?: string; readonly changes?: readonly DefinitionChange[] };
}

/** How one tool, resource or prompt differs from what was accepted. */
export interface DefinitionChange {
  readonly tool: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** What a plugin has done since the server started (docs/spec/access.md#activity). */
export interface PluginActivity {
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly crashes: number;
  readonly memoryBytes?: number;
}

/** Who reads, by the server's word (docs/spec/access.md#reader). */
export interface Principal {
  readonly name: string;
  readonly scopes: readonly string[];
  /** What is seen is what all of them show; empty: everything. */
  readonly profiles: readonly string[];
}

/** A plugin as `mortise://plugins` shows it. */
export interface Plugin {
  readonly name: string;
  readonly version?: string;
  readonly kind?: string;
  readonly path?: string;
  readonly state: string;
  readonly tools: readonly string[];
  readonly resources: readonly string[];
  readonly prompts: readonly string[];
  /** Without the scope `mortise:operate`: how many (docs/spec/access.md#scopes). */
  readonly problems: readonly PluginProblem[] | number;
  readonly loadMs?: number;
  readonly activity?: PluginActivity;
}

export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly resource?: ResourceContents;
}

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
}
