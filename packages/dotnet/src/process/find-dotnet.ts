import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface DotnetSearchOptions {
  /** The `Dotnet.Path` setting: the program, or the folder that it is in; empty if it is not set. */
  readonly setting: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** The location of the `dotnet` program. */
export interface DotnetProgram {
  /** Looked up once; again where there was none. */
  find(): string | undefined;
  /** @throws Error that lists the searched locations */
  path(): string;
  /** It could not be started: the next call looks again. */
  reset(): void;
}

/** Looks for `dotnet`, starting no process (docs/spec/dotnet-runtime.md#executable). */
export function createDotnetProgram(options: DotnetSearchOptions): DotnetProgram {
  let found: string | undefined;
  const find = () => {
    found ??= findDotnet(options);
    return found;
  };
  return {
    find,
    path() {
      const path = find();
      if (path !== undefined) return path;
      throw new Error(
        options.setting === ''
          ? 'dotnet was not found on PATH, nor by DOTNET_HOST_PATH, DOTNET_ROOT or the setting Dotnet.Path'
          : `The setting Dotnet.Path is ${options.setting}, which is not an executable`,
      );
    },
    reset() {
      found = undefined;
    },
  };
}

/**
 * Only the `Dotnet.Path` setting if it is set; otherwise the first of DOTNET_HOST_PATH, `dotnet` on PATH and DOTNET_ROOT that
 * is a program. Relative paths in the environment are ignored: the working directory must not decide which program runs.
 */
export function findDotnet({ setting, env, platform }: DotnetSearchOptions): string | undefined {
  const { join, delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  const names = programNames(env, platform);
  const within = (folder: string) => names.map((name) => join(folder, name));
  if (setting !== '') return [setting, ...within(setting)].find(isProgram);
  const named = (name: string) => variable(env, name, platform) ?? '';
  const folders = named('PATH')
    .split(delimiter)
    .map((entry) => entry.replace(/^"(.*)"$/, '$1'));
  const paths = [named('DOTNET_HOST_PATH'), ...[...folders, named('DOTNET_ROOT')].flatMap(within)];
  return paths.find((path) => isAbsolute(path) && isProgram(path));
}

/** Only the extensions in PATHEXT that start without a shell, because a batch file parses its arguments again. */
function programNames(env: DotnetSearchOptions['env'], platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return ['dotnet'];
  const extensions = (variable(env, 'PATHEXT', platform) || '.EXE').toLowerCase().split(';');
  return ['.exe', '.com']
    .filter((extension) => extensions.includes(extension))
    .map((extension) => `dotnet${extension}`);
}

/** Windows' names of variables have no case. */
function variable(env: DotnetSearchOptions['env'], name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return env[name];
  const own = Object.keys(env).find((key) => key.toUpperCase() === name);
  return own === undefined ? undefined : env[own];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
