import type { Prompt, Resource, ResourceTemplate, ToolAnnotations } from '@mortise/mcp/protocol/types';
import type { PluginActivity, PluginStatus } from 'mortise/core/plugin-status';
import type { Json, JsonObject } from '../json/json.js';

export type { PluginActivity, Prompt, Resource, ResourceTemplate, ToolAnnotations };

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

/** Who reads, by the server's word (docs/spec/access.md#reader). */
export interface Principal {
  readonly name: string;
  readonly scopes: readonly string[];
  /** What is seen is what all of them show; empty: everything. */
  readonly profiles: readonly string[];
}

/** A plugin as `mortise://plugins` shows it: some of it only to who may operate the server (docs/spec/access.md#scopes). */
export type Plugin = Pick<PluginStatus, 'name' | 'state' | 'tools' | 'resources' | 'prompts'> &
  Partial<Pick<PluginStatus, 'version' | 'kind' | 'path' | 'loadMs' | 'activity'>> & {
    /** Or how many. */
    readonly problems: readonly PluginProblem[] | number;
  };

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
