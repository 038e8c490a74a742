import type { Prompt, Resource, ResourceTemplate, ToolAnnotations } from '@mortise/mcp/protocol/types';
import type { PluginActivity, PluginStatus } from 'mortise/core/plugin-status';
import type { Json, JsonObject } from '../json/json.js';

export type { PluginActivity, Prompt, Resource, ResourceTemplate, ToolAnnotations };

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** The parameters of each action, from `mortise://plugins` (docs/spec/plugin-api.md#tool-actions). */
  readonly actions?: JsonObject;
}

export interface PluginProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly location: { readonly file: string; readonly line?: number; readonly column?: number };
  /**
   * Set for PLUGIN_DEFINITION_CHANGED, NAME_PINNED and HIDDEN_TEXT_REFUSED: the hash that accepts the new definition
   * (docs/spec/access.md#operators), and the differences from the accepted one.
   */
  readonly data?: { readonly sha256?: string; readonly changes?: readonly DefinitionChange[] };
}

/** The difference of one tool, resource, prompt or file from its accepted definition. */
export interface DefinitionChange {
  /** The author's name of a tool; of anything else a label such as `prompt greet` or `resource docs://readme`. */
  readonly label: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** The identity that the server has assigned to the page's requests (docs/spec/access.md#reader). */
export interface Principal {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Profiles that limit the view: only entries that all of them show are visible. Empty shows everything. */
  readonly profiles: readonly string[];
}

/** A plugin in `mortise://plugins`. Only operators see the optional members (docs/spec/access.md#scopes). */
export type Plugin = Pick<PluginStatus, 'name' | 'state' | 'tools' | 'resources' | 'prompts'> &
  Partial<Pick<PluginStatus, 'version' | 'origin' | 'kind' | 'path' | 'loadMs' | 'activity'>> & {
    /** The problems; for a key that may not operate the server, only their number. */
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
