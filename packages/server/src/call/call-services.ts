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

/** The parts of the server that the stages of a call use. */
export interface CallServices {
  readonly settings: Settings;
  /** Names of plugins that run under a debugger. Their calls have no deadline. */
  readonly inspectedPlugins: Pick<ReadonlySet<string>, 'has'>;
  /** Returns the part of the current snapshot that the principal sees: all of it if there is no principal. */
  viewOf(principal: Principal | undefined): Snapshot;
  readonly unloadedPlugins: {
    /** Returns the pin labels of the plugin's last known definition. */
    knownLabels(path: string): readonly string[];
    /** Loads the plugin again if its load took too long. Resolves when the load has ended. */
    loadAgain(path: string): Promise<void>;
  };
  /** Returns the names that error texts must not mention to the principal; undefined if it sees everything. */
  hiddenNames(principal: Principal | undefined): HiddenNames | undefined;
  /** Interceptors of every call; the first one is the outermost. */
  readonly interceptors: readonly CallInterceptor[];
  readonly validator: SchemaValidator;
  readonly redactor: Redactor;
  /** For calls with `unsafeOutput`, if the operator allows it: removes control characters, but keeps secrets. */
  readonly unsafeRedactor: Redactor;
  /** For tools with `redaction: "values-only"`. */
  readonly valuesRedactor: Redactor;
  /** True if error texts include the call id, so that the call can be found in the audit. */
  readonly showsCallIds: boolean;
  /** Returns the size limit of a result: content and structuredContent together. */
  maxResultBytes(caller: Caller): number;
  readonly outputs: OutputTable;
  readonly log: Log;
  readonly deadlines: CallDeadlines;
}
