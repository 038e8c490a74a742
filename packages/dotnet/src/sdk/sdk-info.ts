import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandRun, RunDotnet } from '../process/command-run.js';
import type { DotnetProgram } from '../process/find-dotnet.js';
import { namesIn } from '../project-files/readable-files.js';
import { type CachedQuery, createCachedQuery, stateHashOf } from './cached-query.js';
import { assertNoRepositorySdk } from './repository-sdk.js';
import { installedPackVersion, readTemplateCache, type Template, templateFiles } from './template-cache.js';

export interface Sdk {
  readonly version: string;
  /** The folder that contains the versions. */
  readonly path: string;
}

export interface Runtime extends Sdk {
  readonly name: string;
}

/**
 * Information about the SDK, cached until files of the installation change (docs/spec/dotnet-evaluation.md#sdk-cache).
 */
export interface SdkInfo {
  /**
   * Runs `dotnet --version` in a folder, whose global.json selects the SDK. The command may fail.
   * @param runsCode true for actions that may run code of the repository, and therefore an SDK in it
   * @throws FileError if the repository selects its own SDK, and `runsCode` is false
   */
  version(cwd: string, runsCode?: boolean): Promise<CommandRun>;
  sdks(): Promise<{ run: CommandRun; sdks: Sdk[] }>;
  runtimes(): Promise<{ run: CommandRun; runtimes: Runtime[] }>;
  /** Returns all templates; undefined if the CLI's catalogue cannot be read. */
  templates(cwd: string, options?: TemplatesOptions): Promise<readonly Template[] | undefined>;
  /** Returns the version of a template pack; undefined if it is not installed. */
  templatePackVersion(id: string): Promise<string | undefined>;
  /** Returns a text that changes when an SDK, a runtime or a template pack is installed or removed. */
  state(): Promise<string>;
  reset(): void;
  readonly caches: Readonly<Record<'templates' | 'sdks' | 'runtimes' | 'versions', CachedQuery<unknown>>>;
}

export interface TemplatesOptions {
  /** Makes the CLI write its catalogue again. */
  isFresh?: boolean | undefined;
  /** True for actions that may run code of the repository, and therefore an SDK in it. */
  runsCode?: boolean | undefined;
  /**
   * Runs `dotnet new list`, which writes the catalogue. A call gives its own function, so that the command ends with
   * it.
   */
  list?(): Promise<unknown>;
}

export interface SdkInfoOptions {
  dotnet: RunDotnet;
  program: DotnetProgram;
  /** The folder with the CLI's `.templateengine`: `DOTNET_CLI_HOME`, or by default the user's home. */
  home: string;
  /** The folders in `Dotnet.TrustedFolders`. */
  trustedFolders: readonly string[];
}

const TIMEOUT_MS = 60_000;

/**
 * Without the option the CLI evaluates the project in its folder, to leave out templates that do not fit into it (SDK
 * 10).
 */
export const LIST_TEMPLATES: readonly string[] = ['new', 'list', '--ignore-constraints'];

export function createSdkInfo({ dotnet, program, home, trustedFolders }: SdkInfoOptions): SdkInfo {
  const caches = {
    versions: createCachedQuery<CommandRun>(),
    sdks: createCachedQuery<{ run: CommandRun; sdks: Sdk[] }>(),
    runtimes: createCachedQuery<{ run: CommandRun; runtimes: Runtime[] }>(),
    templates: createCachedQuery<readonly Template[] | undefined>(),
  };

  /** Runs a command that no call can cancel, because several calls can wait for its result. */
  function ask(args: readonly string[], cwd: string): Promise<CommandRun> {
    return dotnet({ args, cwd, signal: new AbortController().signal, timeoutMs: TIMEOUT_MS });
  }

  /** Returns a text that changes when an SDK or a runtime is installed or removed. */
  function installation(): string {
    const path = program.find();
    if (path === undefined) return 'none';
    const root = dirname(realpathOr(path));
    const shared = join(root, 'shared');
    const folders = [join(root, 'sdk'), shared, ...foldersIn(shared), join(root, 'templates')];
    return [path, ...folders.map(stateHashOf)].join('\n');
  }

  /** @param state the result of {@link installation} */
  function version(cwd: string, state: string, runsCode = false): Promise<CommandRun> {
    if (!runsCode) assertNoRepositorySdk(cwd, trustedFolders);
    return caches.versions.get([state, ...globalJsonStateHashes(cwd)].join('\n'), () => ask(['--version'], cwd));
  }

  async function templates(
    cwd: string,
    { isFresh = false, runsCode = false, list = () => ask(LIST_TEMPLATES, cwd) }: TemplatesOptions = {},
  ): Promise<readonly Template[] | undefined> {
    const state = installation();
    const { exitCode, stdout } = await version(cwd, state, runsCode);
    const sdk = stdout.trim();
    if (exitCode !== 0 || !/^\d+\.\d+\.\d+\S*$/.test(sdk)) return undefined;
    const files = templateFiles(home, sdk);
    if (isFresh || !files.isCurrent()) await list();
    return caches.templates.get([state, ...files.stateHashes()].join('\n'), () => readTemplateCache(files.cache));
  }

  return {
    version: async (cwd, runsCode) => version(cwd, installation(), runsCode),
    async state() {
      return [installation(), stateHashOf(join(home, '.templateengine', 'packages.json'))].join('\n');
    },
    templates,
    templatePackVersion: (id) => installedPackVersion(home, id),
    sdks: async () =>
      caches.sdks.get(installation(), async () => {
        const run = await ask(['--list-sdks'], process.cwd());
        return { run, sdks: parseSdks(run.stdout) };
      }),
    runtimes: async () =>
      caches.runtimes.get(installation(), async () => {
        const run = await ask(['--list-runtimes'], process.cwd());
        return { run, runtimes: parseRuntimes(run.stdout) };
      }),
    reset() {
      for (const cache of Object.values(caches)) cache.reset();
    },
    caches,
  };
}

/** Parses lines such as `10.0.100 [/usr/share/dotnet/sdk]`. */
function parseSdks(stdout: string): Sdk[] {
  return [...stdout.matchAll(/^(\d\S*) \[(.+)\]\s*$/gm)].map(([, version, path]) => ({
    version: version!,
    path: path!,
  }));
}

/** Parses lines such as `Microsoft.NETCore.App 10.0.0 [/usr/share/dotnet/shared/Microsoft.NETCore.App]`. */
function parseRuntimes(stdout: string): Runtime[] {
  return [...stdout.matchAll(/^(\S+) (\d\S*) \[(.+)\]\s*$/gm)].map(([, name, version, path]) => ({
    name: name!,
    version: version!,
    path: path!,
  }));
}

function globalJsonStateHashes(folder: string): string[] {
  const above = dirname(folder);
  return [stateHashOf(join(folder, 'global.json')), ...(above === folder ? [] : globalJsonStateHashes(above))];
}

function realpathOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function foldersIn(folder: string): string[] {
  return namesIn(folder).map((name) => join(folder, name));
}
