import type { JsonObject } from '@mortise/plugin';
import type { CallChannel, Outcome, PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { ClientRoots } from '../../core/client-roots.js';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';
import type { ProcessExitedError } from '../../processes/exit-reason.js';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import type { McpServerEntry } from '../../settings/settings.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import type { ListOptions } from './read-lists.js';
import type { RemoteDefinitionOptions } from './remote-definition.js';

/** The options of the runner of a mounted server, or of a plugin that is run like one. */
export interface MountedRunnerOptions {
  readonly entry: McpServerEntry;
  /** The options for the server's lists. `prefix` is for example `mcp.github.`, and '' for a plugin. */
  readonly lists: ListOptions & Pick<RemoteDefinitionOptions, 'rejectReason'>;
  readonly callbacks: RunnerCallbacks;
  readonly reaper: Reaper;
  /** The roots that the server can ask for outside of calls. */
  readonly roots?: ClientRoots | undefined;
  readonly redactor: Redactor;
  readonly limits: PluginLimits;
  readonly backoff: RestartBackoff;
  /** The server's last known definition. */
  readonly definition: PluginDefinition;
  readonly idleMs: number;
  readonly loadTimeoutMs: number;
  /** Supervises the process of a plugin (docs/spec/plugin-processes.md#processes). */
  readonly supervisor?: ProcessSupervisor;
  /** Converts the client's arguments to those for the server. Default: the same, or {} if the client sent none. */
  argumentsFor?(rawArgs: JsonObject | undefined): JsonObject | undefined;
  /** Returns the `_meta` of the requests of a call. Default: {@link passedMeta} of the client's. */
  metaFor?(channel: CallChannel): JsonObject | undefined;
  /** Converts a result of `tools/call`. Default: {@link toolOutcome}. */
  outcomeOf?(result: JsonObject, wrapsOutput: boolean): Outcome;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** Called when the server's process has started. */
  onStarted?(pid: number): void;
  /** Called before the server is started or reached. @throws PluginUnavailableError if it cannot run */
  onOpening(): void;
  /** Called with the definition after all lists of the server were read. */
  onListed(definition: PluginDefinition): void;
  /** Called when the server has ended by itself. */
  onEnded(reason: string): void;
  /** Returns the problem of a server that cannot be started or reached. */
  toProblem(ended: ProcessExitedError): PluginProblem;
}
