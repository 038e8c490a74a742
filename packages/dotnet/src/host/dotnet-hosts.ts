import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DotnetProcesses } from '../process/dotnet-processes.js';
import { findSdkPaths } from '../project-files/global-json.js';
import type { SdkInfo } from '../sdk/sdk-info.js';
import { DotnetHost, HostError, type HostRequest } from './dotnet-host.js';

/** True if this code runs from the bundle, which is one module outside of the folder `host`. */
const isBundled = basename(dirname(fileURLToPath(import.meta.url))) !== 'host';

/** The program that the processes run. The published package has it; in a checkout, `npm run build` makes it. */
const PROGRAM = fileURLToPath(
  new URL(`${isBundled ? '..' : '../..'}/dotnet-host/Mortise.DotnetHost.dll`, import.meta.url),
);

const IDLE_MS = 600_000;
const END_GRACE_MS = 1000;

/** The warm .NET processes: one for each SDK folder and value of `runsGenerators`. */
export interface DotnetHosts {
  /**
   * Sends a request to the process for the SDK of a folder, and starts the process if it does not run. A process ends
   * after ten idle minutes.
   * @throws HostError; its kind is `unavailable` if the SDK lacks what the process needs
   * @throws FileError if the repository selects its own SDK, and `runsCode` is false
   */
  request(place: HostPlace, request: HostRequest): Promise<unknown>;
}

/** Decides which process gets a request. */
export interface HostPlace {
  /** The folder whose SDK is used. */
  readonly folder: string;
  /** Whether the process may load generators of packages and of the repository. */
  readonly runsGenerators: boolean;
  /**
   * True for actions that may run code of the repository. Only these may use an SDK that lies in the repository.
   * Default false.
   */
  readonly runsCode?: boolean;
}

export interface DotnetHostsOptions {
  readonly processes: DotnetProcesses;
  readonly sdk: SdkInfo;
  /** Variables in addition to the environment of every command: those of `readOnlyEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  /** The path of Mortise.DotnetHost.dll; by default that of the package. */
  readonly program?: string;
}

interface Slot {
  readonly host: Promise<DotnetHost>;
  idleTimer: NodeJS.Timeout | undefined;
  /** Gives the process no further requests. */
  release(): void;
}

export function createDotnetHosts({
  processes,
  sdk,
  environment,
  memoryMb,
  program = PROGRAM,
}: DotnetHostsOptions): DotnetHosts {
  const slots = new Map<string, Slot>();

  async function start(folder: string, onEnd: () => void): Promise<DotnetHost> {
    const host = new DotnetHost();
    const process = await processes.start({
      args: ['exec', '--runtimeconfig', join(folder, 'dotnet.runtimeconfig.json'), program, folder, String(memoryMb)],
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { ...environment, DOTNET_gcServer: '0', DOTNET_gcConcurrent: '0', DOTNET_TieredPGO: '0' },
      keepsStdinOpen: true,
      onText: (text, stream) => host.onText(text, stream),
    });
    host.attach(process);
    void process.ended.then(onEnd);
    return host;
  }

  function slotOf(folder: string, key: string): Slot {
    const existing = slots.get(key);
    if (existing) return existing;
    const release = () => {
      clearTimeout(slot.idleTimer);
      if (slots.get(key) === slot) slots.delete(key);
    };
    const slot: Slot = { host: start(folder, release), idleTimer: undefined, release };
    slot.host.catch(release);
    slots.set(key, slot);
    return slot;
  }

  return {
    async request({ folder, runsGenerators, runsCode = false }, request) {
      const sdkFolder = await sdkFolderOf(sdk, folder, runsCode);
      const slot = slotOf(sdkFolder, `${sdkFolder} ${runsGenerators}`);
      const host = await slot.host;
      clearTimeout(slot.idleTimer);
      try {
        return await host.request(request);
      } finally {
        if (!host.isBusy) slot.idleTimer = setTimeout(() => void endIdle(slot, host), IDLE_MS).unref();
      }
    },
  };
}

/** Ends an idle process. It is released first, so that a request that arrives meanwhile gets another process. */
function endIdle(slot: Slot, host: DotnetHost): Promise<void> {
  slot.release();
  return host.end(END_GRACE_MS);
}

/**
 * Returns the folder of the SDK that the CLI selects in a folder: an installed one, or one in a folder of `sdk.paths`
 * in global.json.
 */
async function sdkFolderOf(sdk: SdkInfo, folder: string, runsCode: boolean): Promise<string> {
  const run = await sdk.version(folder, runsCode);
  const version = run.stdout.trim();
  if (run.exitCode !== 0 || version === '') {
    throw new HostError('unavailable', `The .NET SDK of ${folder} is not found`, undefined, [], run);
  }
  const installed = (await sdk.sdks()).sdks.filter((one) => one.version === version).map(({ path }) => path);
  const { path, folders } = findSdkPaths(folder) ?? { path: folder, folders: [] };
  const declared = folders.map((one) => resolve(dirname(path), one, 'sdk'));
  const found = installed[0] ?? declared.find((one) => existsSync(join(one, version)));
  if (found !== undefined) return join(found, version);
  throw new HostError('unavailable', `The .NET SDK ${version}, which ${folder} selects, is not found`);
}
