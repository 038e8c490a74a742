import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { CAN_READ_ENVIRONMENTS, killTagged } from '@mortise/process';
import type { DotnetProgram } from './find-dotnet.js';

/** A command's exclusive use of a set of build servers: the nodes of MSBuild, and the compiler server of C# and VB. */
export interface BuildServerLease {
  /** Environment variables that keep the servers private to the command (MSBuild 18.0, Roslyn 5.0). */
  readonly environment: Readonly<Record<string, string>>;
  /** Leaves the running servers to the next command. */
  release(): void;
  /** Ends the servers, and all other processes that the command has left behind. */
  end(): Promise<void>;
}

/**
 * The build servers of this server process. Commands reuse them, but never share them at the same time. So the servers
 * of a cancelled command can be ended without breaking another build (docs/spec/dotnet-runtime.md#build-servers).
 */
export interface BuildServers {
  lease(): BuildServerLease;
  shutDown(): Promise<void>;
}

/** @param environment the environment variables of the commands */
export function createBuildServers(dotnet: DotnetProgram, environment: Readonly<Record<string, string>>): BuildServers {
  const ids: string[] = [];
  const leased = new Set<string>();

  /** Takes the oldest free set of servers, so that commands that run one after the other always use the same set. */
  function take(): string {
    const id = ids.find((candidate) => !leased.has(candidate)) ?? randomBytes(12).toString('hex');
    if (!ids.includes(id)) ids.push(id);
    leased.add(id);
    return id;
  }

  async function end(id: string): Promise<void> {
    await killTagged(id);
    if (CAN_READ_ENVIRONMENTS) return;
    const env = { ...environment, ...privateTo(id) };
    // A global.json in the server's working directory could select another SDK.
    await promisify(execFile)(dotnet.path(), ['build-server', 'shutdown', '--msbuild'], {
      env,
      cwd: dirname(dotnet.path()),
    });
  }

  return {
    lease() {
      const id = take();
      const release = () => void leased.delete(id);
      return { environment: privateTo(id), release, end: () => end(id).finally(release) };
    },
    async shutDown() {
      await Promise.all(ids.splice(0).map(end));
    },
  };
}

function privateTo(id: string): Record<string, string> {
  return { MSBUILDNODEHANDSHAKESALT: id, SharedCompilationId: id };
}
