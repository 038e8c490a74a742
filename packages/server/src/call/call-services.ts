import type { Redactor } from '@mortise/redact';
import type { HiddenNames } from '../access/hidden-names.js';
import type { Principal } from '../core/principal.js';
import type { Caller } from '../core/server-api.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Log } from '../log/log.js';
import type { Settings } from '../settings/settings.js';
import type { CallDeadlines } from './deadline.js';
import type { CallInterceptor } from './interceptors/call-interceptor.js';
import type { OutputTable } from './results/output-store.js';
import type { SchemaValidator } from './validation/schema-validator.js';

/** What the stages of a call need. */
export interface CallServices {
  readonly settings: Settings;
  /** Plugins that run under a debugger; their calls have no deadline. */
  readonly inspected: Pick<ReadonlySet<string>, 'has'>;
  /** What the principal sees of all plugins now; undefined sees everything. */
  snapshot(principal: Principal | undefined): Snapshot;
  /** Plugins that are not loaded: what they had when they were last seen, and loading them again. By their paths. */
  readonly unloaded: { knownLabels(path: string): readonly string[]; loadAgain(path: string): Promise<void> };
  /** What our texts do not name for the principal; undefined where it sees everything. */
  hiddenNames(principal: Principal | undefined): HiddenNames | undefined;
  /** Run around the plugin code of every call, the first one outermost. */
  readonly interceptors: readonly CallInterceptor[];
  readonly checks: SchemaValidator;
  readonly redactor: Redactor;
  /** For calls with unsafeOutput, where the operator allows it: control characters go, secrets stay. */
  readonly unsafeRedactor: Redactor;
  /** For tools with `redaction: "values-only"`. */
  readonly valuesRedactor: Redactor;
  /** Whether the texts of errors have the id of their call: an audit has it too. */
  readonly showsCallIds: boolean;
  /** What a result of this caller may have, content and structuredContent together. */
  maxResultBytes(caller: Caller): number;
  readonly outputs: OutputTable;
  readonly log: Log;
  /** Of all calls that run. */
  readonly deadlines: CallDeadlines;
}
