import type { JsonObject } from '@mortise/plugin';
import type { Outcome, PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
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

/** What a runner of a mounted server, or of a plugin that is run like one, works with. */
export interface MountedRunnerOptions {
  readonly entry: McpServerEntry;
  /** How its lists are read; `prefix` is `mcp.github.`, and nothing for a plugin of this kind. */
  readonly lists: ListOptions & Pick<RemoteDefinitionOptions, 'rejectReason'>;
  readonly host: RunnerCallbacks;
  readonly reaper: Reaper;
  /** What it may ask for outside of calls. */
  readonly roots?: ClientRoots | undefined;
  readonly redactor: Redactor;
  readonly limits: PluginLimits;
  readonly backoff: RestartBackoff;
  /** The server's last known definition. */
  readonly definition: PluginDefinition;
  readonly idleMs: number;
  readonly loadTimeoutMs: number;
  /** What supervises the process of a plugin (docs/spec/plugin-processes.md#processes). */
  readonly supervisor?: ProcessSupervisor;
  /** What is sent as the arguments of a call, undefined where the client sent none; {} for those by default. */
  argumentsFor?(rawArgs: JsonObject | undefined): JsonObject | undefined;
  /** What a result of `tools/call` means; by default as of any server. */
  outcomeOf?(result: JsonObject, wrapsOutput: boolean): Outcome;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** Its process has begun. */
  onStarted?(pid: number): void;
  /** Before it is started or reached. @throws PluginUnavailableError where that would be of no use */
  onOpening(): void;
  /** Called with the definition after all of its lists were read. */
  onListed(definition: PluginDefinition): void;
  /** It ended although it was needed. */
  onEnded(reason: string): void;
  /** Why it cannot be started or reached. */
  toProblem(ended: ProcessExitedError): PluginProblem;
}
