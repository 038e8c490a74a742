import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { findPluginHost } from '../../run/dotnet/find-plugin-host.js';
import { checkFree, createFolderAtomically, makeFolder } from './atomic-folder.js';
import type { PluginName } from './plugin-name.js';
import { ScaffoldError } from './scaffold-error.js';
import { writeTemplate } from './write-template.js';

/** The files of the plugin host that a project refers to: the contract, and the loggers in its PluginContext. */
const LIBRARIES = [
  'McpServer.Plugin.Abstractions.dll',
  'McpServer.Plugin.Abstractions.xml',
  'Microsoft.Extensions.Logging.Abstractions.dll',
  'Microsoft.Extensions.DependencyInjection.Abstractions.dll',
];

export interface DotnetProjectTarget {
  /** Absolute path of the plugins folder. A build copies the plugin into a folder of its own there. */
  readonly directory: string;
  /** Absolute path of the folder in which the project's folder is created. */
  readonly projects: string;
}

/** Creates a C# project in `<projects>/<name>` that builds into `<directory>/<name>`. @throws ScaffoldError */
export function makeDotnetProject(
  name: PluginName,
  { directory, projects }: DotnetProjectTarget,
): { folder: string; files: string[] } {
  const folder = join(projects, name.plugin);
  const pluginFolder = join(directory, name.plugin);
  if (folder === directory || folder === pluginFolder) {
    const hint =
      'Run the command in another folder: the project builds into the plugins folder and cannot be inside it.';
    throw new ScaffoldError(`${folder} is the folder that the plugin is built into.`, hint);
  }
  const host = findPluginHost();
  if (host === undefined)
    throw new ScaffoldError('The C# plugin host is not built; the project needs its assemblies.', BUILD);
  checkFree(folder);
  makeFolder(directory);
  const files = createFolderAtomically(folder, (temporary) => {
    const templateFiles = writeTemplate('dotnet', temporary, name, {
      PLUGIN_FOLDER: pathFromProject(folder, pluginFolder),
    });
    return [...templateFiles, ...copyLibraries(host, temporary)];
  });
  return { folder, files: files.sort().map((file) => join(folder, file)) };
}

const BUILD = 'Run `npm run build` in the repository of Mortise, with the .NET SDK.';

function copyLibraries(host: string, folder: string): string[] {
  mkdirSync(join(folder, 'lib'));
  return LIBRARIES.filter((name) => existsSync(join(host, name))).map((name) => {
    copyFileSync(join(host, name), join(folder, 'lib', name));
    return join('lib', name);
  });
}

/** Returns a path for a project file. It is absolute only if it leads to another drive of Windows. */
function pathFromProject(folder: string, target: string): string {
  const path = relative(folder, target);
  return isAbsolute(path) ? msbuildPath(path) : `$(MSBuildProjectDirectory)/${msbuildPath(path)}`;
}

/** Escapes the special characters of MSBuild and XML. */
function msbuildPath(path: string): string {
  const slashed = path.split(sep).join('/');
  const escaped = slashed.replace(/[%$@;*?'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}
