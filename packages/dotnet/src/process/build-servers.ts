import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { HAS_ENVIRONMENTS, killTagged } from '@mortise/process';
import type { DotnetProgram } from './find-dotnet.js';

/** The build servers that one command at a time may use: MSBuild's nodes and the C# and VB compiler server. */
export interface BuildServerLease {
  /** Makes them private (MSBuild 18.0, Roslyn 5.0). */
  readonly environment: Readonly<Record<string, string>>;
  /** The command has ended: the next one finds them warm. */
  release(): void;
  /** Ends them, and whatever else the command started and left behind. */
  end(): Promise<void>;
}

/**
 * Build servers of this server process: reused between its commands, never shared by two at a time, so that the end of
 * a cancelled command's servers breaks no other build (docs/spec/dotnet-runtime.md#build-servers).
 */
export interface BuildServers {
  lease(): BuildServerLease;
  /** Ends all of them. */
  shutDown(): Promise<void>;
}

/** @param environment that of the commands */
export function createBuildServers(dotnet: DotnetProgram, environment: Readonly<Record<string, string>>): BuildServers {
  const ids: string[] = [];
  const leased = new Set<string>();

  /** The oldest free one: commands that run one after the other always get the same. */
  function take(): string {
    const id = ids.find((candidate) => !leased.has(candidate)) ?? randomBytes(12).toString('hex');
    if (!ids.includes(id)) ids.push(id);
    leased.add(id);
    return id;
  }

  async function end(id: string): Promise<void> {
    await killTagged(id);
    if (HAS_ENVIRONMENTS) return;
    const env = { ...environment, ...privateTo(id) };
    // A global.json of the server's own folder could select another SDK.
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
