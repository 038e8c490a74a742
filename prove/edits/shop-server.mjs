import { mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../bench/client/index.mjs';
import { SESSIONS } from '../../bench/client/protocol.mjs';
import { createWorkplace } from '../../bench/workplace.mjs';
import { processIds, procStat, readProc } from '../../packages/process/build/proc.js';
import { writeShop } from './random-edits.mjs';

/** Nothing is built by a process that outlives its build. */
const BUILDS_ALONE = { MSBUILDDISABLENODEREUSE: '1', UseSharedCompilation: 'false', RunAnalyzers: 'false' };
const OFFLINE = { NuGetAudit: 'false', SuppressImplicitGitSourceLink: 'true', MSBuildEnableWorkloadResolver: 'false' };

/** Servers on the solution of shop.mjs, one after another. */
export function createShopServers() {
  const workplace = createWorkplace();
  const command = workplace.mortise({ Plugins: { Enabled: false }, Dotnet: { Enabled: true } });
  const runtime = workplace.folder();
  const home = `HOME=${command.env.HOME}\0`;
  const packages = process.env.NUGET_PACKAGES ?? join(homedir(), '.nuget/packages');
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:DOTNET|NUGET|SSL)_/.test(name))),
    ...{ ...BUILDS_ALONE, ...OFFLINE, ...command.env },
    ...{ XDG_RUNTIME_DIR: runtime, NUGET_PACKAGES: packages, Dotnet__FixWaitMs: '0' },
  };
  const journalFolder = join(runtime, 'mortise/changes');
  mkdirSync(journalFolder, { recursive: true, mode: 0o700 });
  writeShop(command.cwd);
  let client;

  /** All processes that were started on this workplace. */
  const processes = () =>
    processIds().filter((pid) => readProc(pid, 'environ').includes(home) && procStat(pid)?.isZombie === false);

  /** @throws Error if the server has ended */
  async function call(name, args) {
    const { message } = await client.request('tools/call', { name, arguments: args });
    if (message.error) throw new Error(JSON.stringify(message.error));
    const { structuredContent: data, content, isError = false } = message.result;
    return { data, text: content.map(({ text = '' }) => text).join('\n'), isError };
  }

  return {
    folder: command.cwd,
    journalFolder,
    call,
    code: (action, args = {}) => call('dotnet_code', { action, ...args }),
    journals: () => readdirSync(journalFolder).filter((name) => name.endsWith('.json')),
    /** @param nodeArgs of the server's process */
    async start(nodeArgs = []) {
      client = await connect({ ...command, args: [...nodeArgs, ...command.args], env }, { version: SESSIONS });
    },
    pid: () => client.pid,
    /** The .NET process that reads code; undefined while there is none. */
    hostPid: () => processes().find((pid) => readProc(pid, 'cmdline').includes('Mortise.DotnetHost.dll')),
    stop: () => client.stop(),
    /** Ends all processes, and removes the folders. */
    remove() {
      for (const pid of processes()) process.kill(pid, 'SIGKILL');
      workplace.remove();
    },
  };
}
