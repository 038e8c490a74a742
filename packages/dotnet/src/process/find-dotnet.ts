import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface DotnetSearchOptions {
  /** The setting `Dotnet.Path`: the path of the program or of its folder; empty if it is not set. */
  readonly setting: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export interface DotnetProgram {
  /** Returns the path of the program; undefined if it is not found. A path that was found is kept. */
  find(): string | undefined;
  /** Like `find`. @throws Error that lists the searched locations */
  path(): string;
  /** Forgets the path, because the program could not be started. */
  reset(): void;
}

/** Creates the search for `dotnet`, which starts no process (docs/spec/dotnet-runtime.md#executable). */
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
 * Finds the program named by the setting `Dotnet.Path` or, if it is not set, the first program in DOTNET_HOST_PATH,
 * PATH and DOTNET_ROOT. Relative paths in the environment are ignored, so that the working directory does not determine
 * which program runs.
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

/** On Windows, batch files are left out, because they parse their arguments again. */
function programNames(env: DotnetSearchOptions['env'], platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return ['dotnet'];
  const extensions = (variable(env, 'PATHEXT', platform) || '.EXE').toLowerCase().split(';');
  return ['.exe', '.com']
    .filter((extension) => extensions.includes(extension))
    .map((extension) => `dotnet${extension}`);
}

/** Reads a variable. On Windows the case of names does not matter. */
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
