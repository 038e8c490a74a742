import type { Logger, RegisterApi, ServerInfo } from '@mortise/plugin';
import { homeFolder } from '@mortise/plugin/runtime';
import type { ProjectSource } from './analysis/load-project.js';
import type { SolutionSource } from './analysis/solution-report.js';
import { createWorkspaceReader, type WorkspaceReader } from './analysis/workspace.js';
import { WriteJournal } from './changes/write-journal.js';
import { createDotnetHosts, type DotnetHosts } from './host/dotnet-hosts.js';
import { FileLocks } from './locks/file-locks.js';
import type { Locks } from './locks/lock.js';
import { runtimeFolder } from './locks/runtime-folder.js';
import { createMetrics, type Metrics } from './metrics.js';
import { evaluateProject } from './msbuild/evaluate.js';
import { createEvaluationHost, type EvaluatingCall } from './msbuild/evaluation-host.js';
import { createAssetsReader } from './nuget/assets.js';
import { createOperations, type Operations } from './operations.js';
import { commandEnvironment, readOnlyEnvironment } from './process/command-environment.js';
import type { RunDotnet } from './process/command-run.js';
import { createDotnetProcesses } from './process/dotnet-processes.js';
import { createDotnetProgram } from './process/find-dotnet.js';
import { createRunDotnet } from './process/run-dotnet.js';
import type { CachedQuery } from './sdk/cached-query.js';
import { createSdkInfo, type SdkInfo } from './sdk/sdk-info.js';
import { createSessions } from './sessions/create-sessions.js';
import type { SessionTable } from './sessions/session.js';
import type { DotnetSettings } from './settings.js';

/** The services of the actions. They are created once, when the plugin loads. */
export interface Services {
  readonly settings: DotnetSettings;
  readonly server: ServerInfo;
  readonly toolNames: readonly string[];
  /** True if tools, resources and prompts are listed; false if no dotnet was found when the plugin was loaded. */
  readonly isListed: boolean;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly dotnet: RunDotnet;
  readonly locks: Locks;
  /** Undoes changes of several files whose server was killed. */
  readonly writeJournal: WriteJournal;
  readonly sessions: SessionTable;
  readonly operations: Operations;
  readonly sdk: SdkInfo;
  /** Reads projects by MSBuild evaluation, in the time of the given call. */
  projects(call: EvaluatingCall): ProjectSource;
  solutions(call: EvaluatingCall & { readonly cwd: string }): SolutionSource;
  readonly workspaces: WorkspaceReader;
  /** The warm .NET processes, which evaluate projects and read code. */
  readonly hosts: DotnetHosts;
  /** Caches other than those of SDK queries. */
  readonly caches: Readonly<Record<string, Pick<CachedQuery<unknown>, 'metrics'>>>;
  hasDotnet(): boolean;
  /** Ends the sessions and all other processes, and releases the locks. */
  close(): Promise<void>;
}

/** The time between SIGTERM and SIGKILL for programs that still run when the server closes. */
const CLOSE_GRACE_MS = 1000;

/** Creates the services without `isListed`, which depends on the search for dotnet by one of them. */
export function createServices(
  api: Pick<RegisterApi, 'logger' | 'processes' | 'server'>,
  settings: DotnetSettings,
  toolNames: readonly string[],
): Omit<Services, 'isListed'> {
  const { env, platform } = process;
  const program = createDotnetProgram({ setting: settings.path, env, platform });
  const environment = commandEnvironment(env, settings.withheld);
  const processes = createDotnetProcesses({ dotnet: program, environment, own: api.processes });
  const dotnet = createRunDotnet({ processes, maxBytes: settings.maxOutputBytes });
  const place = { platform, env, homeDir: homeFolder(), uid: process.getuid?.() };
  const report = (message: string) => api.logger.warn(message);
  const locks = new FileLocks({ folder: runtimeFolder('locks', place), report });
  const sessions = createSessions({ processes, ...settings.sessions });
  const workspaces = createWorkspaceReader();
  const readAssets = createAssetsReader();
  const sdk = createSdkInfo({
    dotnet,
    program,
    home: env.DOTNET_CLI_HOME || homeFolder(),
    trustedFolders: settings.trustedFolders,
  });
  const hostOptions = {
    processes,
    sdk,
    environment: readOnlyEnvironment(environment),
    memoryMb: settings.hostMemoryMb,
  };
  const hosts = createDotnetHosts(hostOptions);
  return {
    settings,
    server: api.server,
    toolNames,
    metrics: createMetrics(),
    logger: api.logger,
    dotnet,
    locks,
    writeJournal: new WriteJournal(runtimeFolder('changes', place), report),
    sessions,
    operations: createOperations(),
    sdk,
    hosts,
    projects(call) {
      const host = createEvaluationHost(hosts, call);
      return { evaluate: (project, query, globals) => evaluateProject(host, project, query, globals), readAssets };
    },
    solutions: (call) => ({ host: createEvaluationHost(hosts, call), readAssets, cwd: call.cwd }),
    workspaces,
    caches: { workspace: workspaces },
    hasDotnet: () => program.find() !== undefined,
    async close() {
      await sessions.close();
      await locks.close();
      await processes.shutDown(CLOSE_GRACE_MS);
    },
  };
}
