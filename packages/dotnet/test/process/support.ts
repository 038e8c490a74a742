import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { processesWith } from '../../../../test/support/processes.js';
import { commandEnvironment } from '../../src/process/command-environment.js';
import type { CommandRequest } from '../../src/process/command-run.js';
import { createDotnetProcesses } from '../../src/process/dotnet-processes.js';
import { createDotnetProgram, type DotnetProgram } from '../../src/process/find-dotnet.js';
import { createRunDotnet } from '../../src/process/run-dotnet.js';

const PROGRAM = fileURLToPath(new URL('./fixtures/program.mjs', import.meta.url));

/** Arguments for a program that replaces dotnet. */
export const program = (what: string, ...values: string[]): string[] => [PROGRAM, what, ...values];

export const node: DotnetProgram = { find: () => process.execPath, path: () => process.execPath, reset() {} };

export const realDotnet = createDotnetProgram({ setting: '', env: process.env, platform: process.platform });

/** What switches build servers off on a machine for tests. */
const SWITCHES = ['MSBUILDDISABLENODEREUSE', 'UseSharedCompilation', 'DOTNET_CLI_USE_MSBUILD_SERVER'];

/** A server's processes, and what its host was told to own. `environment` is added to that of the machine. */
export function openProcesses(dotnet: DotnetProgram = node, environment: Record<string, string> = {}) {
  const tag = randomBytes(12).toString('hex');
  const groups = new Set<number>();
  const inherited = Object.entries(process.env).filter(([name]) => !SWITCHES.includes(name));
  const processes = createDotnetProcesses({
    dotnet,
    environment: commandEnvironment({ ...Object.fromEntries(inherited), ...environment }),
    own: {
      environment: { MORTISE_TEST_TAG: tag },
      own(pid) {
        groups.add(pid);
        return { remove: () => void groups.delete(pid) };
      },
    },
  });
  return {
    processes,
    groups,
    /** The command lines of what these processes started and what still runs, whatever group it is in. */
    running: () => tagged(tag),
    run(args: readonly string[], more: Partial<CommandRequest> & { maxBytes?: number; graceMs?: number } = {}) {
      const { maxBytes = 1 << 24, graceMs, ...request } = more;
      const runDotnet = createRunDotnet({ processes, maxBytes, ...(graceMs !== undefined && { graceMs }) });
      const signal = new AbortController().signal;
      return runDotnet({ args, cwd: process.cwd(), signal, timeoutMs: 60_000, ...request });
    },
    /** Ends it, and expects that nothing is left. */
    async close() {
      await processes.shutDown(1000);
      await expect.poll(() => tagged(tag)).toEqual([]);
    },
  };
}

const tagged = (tag: string): string[] => processesWith(tag).map(({ command }) => command);
