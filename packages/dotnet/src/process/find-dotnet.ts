import { access, constants, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

export interface DotnetPlaces {
  /** The `Dotnet.Path` setting: the program, or the folder that it is in; empty where it is not set. */
  readonly setting: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
}

/** Where the `dotnet` program is. */
export interface DotnetProgram {
  /** Absolute. Looked up once; again after a failure. @throws Error that says where it was looked for */
  path(): Promise<string>;
  /** It could not be started: the next call looks again. */
  forget(): void;
}

/** Looks for `dotnet`, starting no process (dotnet-runtime.md §1). */
export function createDotnetProgram(places: DotnetPlaces): DotnetProgram {
  let found: Promise<string> | undefined;
  return {
    path() {
      found ??= findDotnet(places).catch((error: unknown) => {
        found = undefined;
        throw error;
      });
      return found;
    },
    forget() {
      found = undefined;
    },
  };
}

/**
 * The `Dotnet.Path` setting alone where it is set; else DOTNET_HOST_PATH, `dotnet` on PATH, DOTNET_ROOT, the first that
 * is a program.
 */
export async function findDotnet({ setting, env, platform }: DotnetPlaces): Promise<string> {
  const { join } = platform === 'win32' ? win32 : posix;
  const names = programNames(env, platform);
  const within = (folder: string) => names.map((name) => join(folder, name));
  if (setting !== '') {
    const found = await firstProgram([setting, ...within(setting)]);
    if (found !== undefined) return found;
    throw new Error(`The setting Dotnet.Path is ${setting}, which is no program`);
  }
  const hostPath = variable(env, 'DOTNET_HOST_PATH', platform);
  const root = variable(env, 'DOTNET_ROOT', platform);
  const found = await firstProgram([
    ...(hostPath ? [hostPath] : []),
    ...searchPath(env, platform).flatMap(within),
    ...(root ? within(root) : []),
  ]);
  if (found !== undefined) return found;
  throw new Error('dotnet was not found on PATH, nor by DOTNET_HOST_PATH, DOTNET_ROOT or the setting Dotnet.Path');
}

/** Of PATHEXT only what starts without a shell: a batch file takes its arguments apart again. */
function programNames(env: Readonly<NodeJS.ProcessEnv>, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return ['dotnet'];
  const extensions = (variable(env, 'PATHEXT', platform) || '.EXE').toLowerCase().split(';');
  return ['.exe', '.com']
    .filter((extension) => extensions.includes(extension))
    .map((extension) => `dotnet${extension}`);
}

/** Relative entries are left out: the working directory must not decide which program runs. */
function searchPath(env: Readonly<NodeJS.ProcessEnv>, platform: NodeJS.Platform): string[] {
  const { delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  const entries = (variable(env, 'PATH', platform) ?? '').split(delimiter);
  return entries.map((entry) => entry.replace(/^"(.*)"$/, '$1')).filter((entry) => isAbsolute(entry));
}

/** Windows' names of variables have no case. */
function variable(env: Readonly<NodeJS.ProcessEnv>, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return env[name];
  const own = Object.keys(env).find((key) => key.toUpperCase() === name);
  return own === undefined ? undefined : env[own];
}

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await isProgram(path)) return path;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
