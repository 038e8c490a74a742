import type { Json, JsonObject } from '../json/json.js';
import type { Exchange } from '../rpc/mcp-client.js';
import type { CallResult } from './types.js';

export interface LogLine {
  readonly level: string;
  readonly logger?: string;
  readonly data: Json;
  readonly atMs: number;
}

/** A question of the server: a form, or a page to open. */
export interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** How a question was answered. */
export type Answer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

export interface Run {
  readonly id: string;
  readonly tool: string;
  readonly args: Json;
  readonly startedAt: number;
  readonly state: 'running' | 'waiting' | 'done' | 'cancelled' | 'failed';
  readonly elapsedMs?: number;
  readonly progress?: { readonly progress: number; readonly total?: number; readonly message?: string };
  readonly log: readonly LogLine[];
  readonly exchanges: readonly Exchange[];
  readonly questions: readonly Question[];
  /** Since the call has become a task (docs/spec/protocol.md#tasks). */
  readonly task?: { readonly taskId: string; readonly isCancelling?: true };
  readonly result?: CallResult;
  /** The protocol's error, or why there is no response. */
  readonly failure?: { readonly message: string; readonly code?: number; readonly data?: Json };
}
