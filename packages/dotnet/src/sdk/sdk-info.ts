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
  /** The folder that the SDKs are in. */
  readonly path: string;
}

export interface Runtime extends Sdk {
  readonly name: string;
}

/** SDK information that seldom changes; cached until it does (docs/spec/dotnet-evaluation.md#sdk-cache). */
export interface SdkInfo {
  /**
   * `dotnet --version` in a folder, where global.json decides. It may have failed.
   * @param runsCode for actions that run the repository's code anyway, and so its SDK
   * @throws FileError for an SDK of the repository
   */
  version(cwd: string, runsCode?: boolean): Promise<CommandRun>;
  sdks(): Promise<{ run: CommandRun; sdks: Sdk[] }>;
  runtimes(): Promise<{ run: CommandRun; runtimes: Runtime[] }>;
  /** All templates; undefined where the catalogue cannot be read. */
  templates(cwd: string, options?: TemplatesOptions): Promise<readonly Template[] | undefined>;
  /** The version of an installed template pack; undefined if it is not installed. */
  templatePackVersion(id: string): Promise<string | undefined>;
  /** How the SDKs, runtimes and template packs are on disk: differs after one was installed or removed. */
  state(): Promise<string>;
  reset(): void;
  readonly caches: Readonly<Record<'templates' | 'sdks' | 'runtimes' | 'versions', CachedQuery<unknown>>>;
}

export interface TemplatesOptions {
  /** Whether the CLI writes its catalogue again. */
  isFresh?: boolean | undefined;
  /** For actions that run the repository's code anyway, and so its SDK. */
  runsCode?: boolean | undefined;
  /** Runs `dotnet new list`, which writes the catalogue: for a call that ends it with itself. */
  list?(): Promise<unknown>;
}

export interface SdkInfoOptions {
  dotnet: RunDotnet;
  program: DotnetProgram;
  /** The folder in which the CLI keeps its templates: `DOTNET_CLI_HOME`, or else the user's home. */
  home: string;
  /** `Dotnet.TrustedFolders` */
  trustedFolders: readonly string[];
}

const TIMEOUT_MS = 60_000;

/** Without the option it evaluates the project in its folder (SDK 10), to leave out templates that do not fit into it. */
export const LIST_TEMPLATES: readonly string[] = ['new', 'list', '--ignore-constraints'];

export function createSdkInfo({ dotnet, program, home, trustedFolders }: SdkInfoOptions): SdkInfo {
  const caches = {
    versions: createCachedQuery<CommandRun>(),
    sdks: createCachedQuery<{ run: CommandRun; sdks: Sdk[] }>(),
    runtimes: createCachedQuery<{ run: CommandRun; runtimes: Runtime[] }>(),
    templates: createCachedQuery<readonly Template[] | undefined>(),
  };

  /** Not the caller's signal: others may wait for the same answer. */
  function ask(args: readonly string[], cwd: string): Promise<CommandRun> {
    return dotnet({ args, cwd, signal: new AbortController().signal, timeoutMs: TIMEOUT_MS });
  }

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

/** `10.0.100 [/usr/share/dotnet/sdk]` */
function parseSdks(stdout: string): Sdk[] {
  return [...stdout.matchAll(/^(\d\S*) \[(.+)\]\s*$/gm)].map(([, version, path]) => ({
    version: version!,
    path: path!,
  }));
}

/** `Microsoft.NETCore.App 10.0.0 [/usr/share/dotnet/shared/Microsoft.NETCore.App]` */
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
