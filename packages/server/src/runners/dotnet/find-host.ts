import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../settings/system-answer.js';

export interface DotnetPlaces {
  /** The setting Dotnet.Path: the program, or the folder that it is in; empty where it is not set. */
  readonly setting: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * The `dotnet` program: the setting alone where there is one; else DOTNET_HOST_PATH, PATH, DOTNET_ROOT, the first that is a
 * program. Relative entries of PATH do not count: the working directory must not decide what runs.
 */
export function findDotnet({ setting, env, platform }: DotnetPlaces): string | undefined {
  const { join, delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  const program = platform === 'win32' ? 'dotnet.exe' : 'dotnet';
  const variable = (name: string) =>
    Object.entries(env).find(([key]) => (platform === 'win32' ? key.toUpperCase() : key) === name)?.[1] ?? '';
  const folders = variable('PATH')
    .split(delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  const places =
    setting === ''
      ? [variable('DOTNET_HOST_PATH'), ...[...folders, variable('DOTNET_ROOT')].map((folder) => join(folder, program))]
      : [setting, join(setting, program)];
  return places.find((place) => (setting !== '' || isAbsolute(place)) && isProgram(place));
}

function isProgram(file: string): boolean {
  const isFile = attempt(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
  return isFile ?? false;
}

const ASSEMBLY = 'Mortise.PluginHost.dll';
/** Built there by `npm run build`, and packed with the server. */
const FOLDER = fileURLToPath(new URL('../../../plugin-host/', import.meta.url));

/** The folder of the host for C# plugins, where it was built. */
export function findPluginHost(): string | undefined {
  return existsSync(`${FOLDER}${ASSEMBLY}`) ? FOLDER : undefined;
}

/** What `dotnet exec` is given to run the host in that folder, before the plugin. */
export function hostArguments(folder: string, withAspNetCore: boolean): string[] {
  // Its own configuration, on that framework: the build writes it (Mortise.PluginHost.csproj).
  const config = `${folder}Mortise.PluginHost.aspnetcore.runtimeconfig.json`;
  return [...(withAspNetCore ? ['--runtimeconfig', config] : []), `${folder}${ASSEMBLY}`];
}
