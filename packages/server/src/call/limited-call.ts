import type { CancelSignal } from '@mortise/mcp/util';
import type { JsonObject } from '@mortise/plugin';
import type { Redactor } from '@mortise/redact';
import { GRACE_MS } from '../core/grace-period.js';
import type { Runner } from '../core/plugin-runner.js';
import type { Caller } from '../core/server-api.js';
import type { Tool } from '../core/snapshot.js';
import type { CallServices } from './call-services.js';
import type { CallOwner, InterceptedCall } from './interceptors/call-interceptor.js';

/** A call with the data that limits and interceptors need. */
export abstract class LimitedCall implements InterceptedCall {
  abstract readonly kind: InterceptedCall['kind'];
  abstract readonly target: string;
  /** The plugin whose code runs; set when the target is found. */
  owner!: CallOwner & { readonly runner?: Pick<Runner, 'isBlocked' | 'maxConcurrentCalls'> };
  /** Set for a call of a tool. */
  tool: Tool | undefined;
  /** The arguments of a call of a tool, after the call options are removed. */
  args: JsonObject | undefined;
  /**
   * The time limit, including the time in the queue, without the time of open questions. Default: `Tools.TimeoutMs`.
   */
  timeoutMs: number | undefined;
  graceMs = GRACE_MS;
  /** Set when the deadline starts. */
  ended!: CancelSignal;
  slot: object | undefined;
  callerSlot: object | undefined;
  admittedAt: number | undefined;

  constructor(
    readonly services: CallServices,
    readonly caller: Caller,
  ) {}

  /** Redacts progress messages, questions and the result. */
  get redactor(): Redactor {
    return this.services.redactor;
  }

  /** The fields that the server adds to log lines of the call. */
  logFields(): Record<string, unknown> {
    return {};
  }
}
