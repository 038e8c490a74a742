import { stat } from 'node:fs/promises';
import type { ProcessTracker, Registration } from '@mortise/plugin';
import { isGroupAlive } from '@mortise/process';
import { createBuildServers } from './build-servers.js';
import { DotnetNotFoundError, displayCommand } from './command-run.js';
import type { DotnetProgram } from './find-dotnet.js';
import { type StartedProcess, type StartOptions, startProcess } from './start-process.js';

/** A `dotnet` process to start. `env` is for this process only, in addition to `DotnetProcessesOptions.environment`. */
export type DotnetStart = Omit<StartOptions, 'program' | 'env'> & {
  readonly env?: Readonly<Record<string, string>>;
  /** The command line in errors. Default: `dotnet` and `args`. */
  readonly command?: string;
};

/** Starts `dotnet` with private build servers. None of these processes outlives the server. */
export interface DotnetProcesses {
  /** @throws {@link DotnetNotFoundError} if there is no `dotnet`, or it cannot be started */
  start(request: DotnetStart): Promise<StartedProcess>;
  /** Ends the build servers and the running processes, which are killed if they have not ended after `graceMs`. */
  shutDown(graceMs: number): Promise<void>;
}

export interface DotnetProcessesOptions {
  readonly dotnet: DotnetProgram;
  /** The environment of every command: `commandEnvironment(process.env)`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly own: ProcessTracker;
}

export function createDotnetProcesses({ dotnet, environment, own }: DotnetProcessesOptions): DotnetProcesses {
  const buildServers = createBuildServers(dotnet, environment);
  const groups = new OwnedGroups(own);
  const running = new Set<StartedProcess>();

  async function spawned(request: DotnetStart, privateServers: Readonly<Record<string, string>>) {
    try {
      const env = { ...environment, ...request.env, ...privateServers, ...own.environment };
      return await startProcess({ ...request, program: dotnet.path(), env });
    } catch (error) {
      dotnet.reset();
      await checkFolder(request.cwd);
      throw new DotnetNotFoundError(
        (error as Error).message,
        request.command ?? displayCommand('dotnet', request.args),
      );
    }
  }

  return {
    async start(request) {
      const lease = buildServers.lease();
      const started = await spawned(request, lease.environment).catch((error: unknown) => {
        lease.release();
        throw error;
      });
      groups.add(started.pid);
      let end: Promise<void> | undefined;
      const ended = started.ended.then((exitCode) => {
        running.delete(process);
        if (!end) lease.release();
        groups.leaderEnded(started.pid);
        return exitCode;
      });
      const process: StartedProcess = {
        pid: started.pid,
        ended,
        write: (text) => started.write(text),
        end(signal, graceMs) {
          end ??= started
            .end(signal, graceMs)
            .then(() => lease.end())
            .then(() => groups.sweep());
          return end;
        },
      };
      running.add(process);
      return process;
    },
    async shutDown(graceMs) {
      await Promise.all([...running].map((process) => process.end('SIGTERM', graceMs)));
      await buildServers.shutDown();
      groups.sweep();
    },
  };
}

/**
 * The process groups that end with the server. A group stays owned while a process is left in it, such as a build
 * server.
 */
class OwnedGroups {
  readonly #own: ProcessTracker;
  readonly #groups = new Map<number, { readonly registration: Registration; hasLeader: boolean }>();

  constructor(own: ProcessTracker) {
    this.#own = own;
  }

  add(pid: number): void {
    this.#groups.set(pid, { registration: this.#own.own(pid), hasLeader: true });
  }

  leaderEnded(pid: number): void {
    const group = this.#groups.get(pid);
    if (group) group.hasLeader = false;
    this.sweep();
  }

  /** Gives up the groups without processes. */
  sweep(): void {
    for (const [pid, { registration, hasLeader }] of this.#groups) {
      if (hasLeader || isGroupAlive(pid)) continue;
      this.#groups.delete(pid);
      registration.remove();
    }
  }
}

/** The system reports ENOENT both for a missing program and for a missing working directory. */
async function checkFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(`The working directory ${path} is not a folder`);
}
