import type { Json, JsonObject } from '../json/json.js';
import type { Exchange } from '../rpc/mcp-client.js';
import type { CallResult } from './types.js';

export interface LogLine {
  readonly level: string;
  readonly logger?: string;
  readonly data: Json;
  /** Milliseconds since the call was started. */
  readonly atMs: number;
}

/** A question that the server asks during a call: a form to fill in, or a page to open. */
export interface Question {
  /** The name of the question among those of its result or task. */
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
}

export type Answer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' | 'cancel' };

/** A call of a tool, from its start until its result. */
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
  /** Set as soon as the call has become a task (docs/spec/protocol.md#tasks). */
  readonly task?: {
    readonly taskId: string;
    readonly isCancelling?: true;
    /** The reason why the last request to cancel the task failed. */
    readonly cancelError?: string;
  };
  readonly result?: CallResult;
  /** The JSON-RPC error, or, without a `code`, the reason why there is no response. */
  readonly failure?: { readonly message: string; readonly code?: number; readonly data?: Json };
}
