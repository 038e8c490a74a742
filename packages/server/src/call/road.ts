import type { PluginLogEntry } from '@mortise/plugin/host';
import type { Caller } from '../host.js';
import type { CancelSignal } from '../light-signal.js';
import type { Log } from '../log.js';
import type { Redactor } from '../redact/redactor.js';
import type { Runs } from '../runs.js';
import type { Settings } from '../settings/settings.js';
import type { Admit } from './admit.js';
import type { Checks } from './checks.js';
import type { Snapshot } from './registry.js';

/** What the road of a call is paved with. */
export interface Road {
  readonly settings: Settings;
  /** Plugins that somebody steps through: their calls have no deadline. */
  readonly inspected: Pick<ReadonlySet<string>, 'has'>;
  snapshot(): Snapshot;
  readonly admit: Admit;
  /** For completions, which have slots of their own. */
  readonly admitCompletion: Admit;
  readonly checks: Checks;
  readonly redactor: Redactor;
  /** For calls with unsafeOutput, where the operator allows it: control characters go, secrets stay. */
  readonly unsafeRedactor: Redactor;
  readonly runs: Runs;
  readonly log: Log;
  /** Fires when the server ends. */
  readonly shutdown: CancelSignal;
}

/** How many milliseconds a call of the plugin may take. @param ownMs the tool's own */
export function timeoutOf({ settings, inspected }: Road, plugin: string, ownMs = settings.Tools.TimeoutMs): number {
  return inspected.has(plugin) ? Number.POSITIVE_INFINITY : ownMs;
}

/** A line of a plugin's logger during a call: to the log, and to the client that called. */
export function logOfCall(
  road: Road,
  caller: Caller,
  plugin: string,
  fields: Record<string, unknown>,
  entry: PluginLogEntry,
): void {
  const { level, message, scope } = entry;
  const logger = scope === undefined ? plugin : `${plugin}/${scope}`;
  road.log[level](message, { ...entry.fields, plugin: logger, ...fields });
  caller.log?.({
    level,
    message: road.redactor.text(message),
    ...(entry.fields ? { fields: road.redactor.value(entry.fields) } : {}),
    logger,
  });
}
