import type { CancelSignal } from '@mortise/mcp/util';
import type { JsonObject } from '@mortise/plugin';
import type { Redactor } from '@mortise/redact';
import { GRACE_MS } from '../core/grace-period.js';
import type { Runner } from '../core/plugin-runner.js';
import type { Caller } from '../core/server-api.js';
import type { Tool } from '../core/snapshot.js';
import type { CallServices } from './call-services.js';
import type { CallOwner, InterceptedCall } from './interceptors/call-interceptor.js';

/** A call of a plugin's code, with what the limits and the interceptors must know of it. */
export abstract class LimitedCall implements InterceptedCall {
  abstract readonly kind: InterceptedCall['kind'];
  abstract readonly target: string;
  /** The plugin whose code runs; there is one once something was found. */
  owner!: CallOwner & { readonly runner?: Pick<Runner, 'isBlocked' | 'maxConcurrentCalls'> };
  /** Of a call of a tool. */
  tool: Tool | undefined;
  /** Of a call of a tool: its arguments, once they are checked. */
  args: JsonObject | undefined;
  /** How long it may take, its time in the queue included, in milliseconds; default `Tools.TimeoutMs`. An open question to the user suspends it. */
  timeoutMs: number | undefined;
  /** How long the code may continue after its signal has fired, in milliseconds. */
  graceMs = GRACE_MS;
  /** Set when the deadline begins to run. */
  ended!: CancelSignal;
  slot: object | undefined;
  callerSlot: object | undefined;
  admittedAt: number | undefined;

  constructor(
    readonly services: CallServices,
    readonly caller: Caller,
  ) {}

  /** For progress messages, questions and the result. */
  get redactor(): Redactor {
    return this.services.redactor;
  }

  /** What the log lines of the call have; asked for when something is logged, which most calls do not. */
  logFields(): Record<string, unknown> {
    return {};
  }
}
